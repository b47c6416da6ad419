package org.galerna.launch.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which ranks are given a cache: a virtual machine that refuses it starts more slowly than one that has none. */
class AotCacheTest {
    @ParameterizedTest
    @ValueSource(strings = {"-Xmx4g", "-ea", "-Da=--b", "-XX:+UseSerialGC", "-Xlog:gc", "-XX:TieredStopAtLevel=1"})
    void mostOptionsGoTogetherWithIt(String option) {
        assertThat(AotCache.contradicting(List.of("-Xss4m", option))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--add-opens",
                "@file",
                "-javaagent:a.jar",
                "-agentlib:jdwp=server=y",
                "-XX:+UseZGC",
                "-XX:-UseCompressedOops",
                "-XX:+UseCompactObjectHeaders",
                "-XX:AOTCache=own.aot",
                "-XX:SharedArchiveFile=own.jsa",
                "-XX:DumpLoadedClassList=own.lst",
                "-XX:SharedClassListFile=own.lst",
                "-XX:MaxRAMPercentage=90",
                "-XX:StartFlightRecording=filename=a.jfr",
                "-Djava.system.class.loader=Own"
            })
    void someDoNot(String option) {
        assertThat(AotCache.contradicting(List.of("-Xss4m", option))).contains(option);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-Xmx31g", "-Xmx31744M", "-Xmx33285996544", "-Xmx1t", "-Xmx99999999999999999999g"})
    void noneIsForLargeHeaps(String option) {
        assertThat(AotCache.isLarge(List.of("-Xmx1g", option), 0)).isTrue();
        assertThat(AotCache.isLarge(List.of(option, "-Xmx1g"), 100)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-Xmx30G", "-Xmx31743m", "-Xmx32505855k", "-Xmx33285996543", "-Xmx", "-Xms40g"})
    void othersAreSmall(String option) {
        assertThat(AotCache.isLarge(List.of(option), 0)).isFalse();
    }
}
