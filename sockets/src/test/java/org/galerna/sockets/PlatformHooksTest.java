package org.galerna.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.galerna.testkit.process.ChildProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs that meet the platform's sockets by what only the platform's own are for: factories, subclasses, proxies. */
class PlatformHooksTest {
    private static final Duration LONG = Duration.ofMinutes(2);
    private static final String FAST = "goes through shared memory";

    private static List<String> lines(ChildProcess program) throws InterruptedException {
        assertThat(program.awaitExit(LONG)).as(program.err()).isZero();
        return program.out().lines().toList();
    }

    private static ChildProcess start(Class<?> main, List<String> options, String... arguments) {
        List<String> java = new ArrayList<>(options);
        java.add("--add-opens=java.base/java.net=ALL-UNNAMED");
        return ChildProcess.start(ChildProcess.java(java, main, List.of(arguments)));
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(strings = {"sockets", "listeners"})
    void aProgramMaySetFactoriesAsWithoutTheAgent(String first) throws Exception {
        try (ChildProcess platform = AgentJar.startPlain(FactoryProgram.class, first);
                ChildProcess fast = AgentJar.start(FactoryProgram.class, "log,after=2", first)) {
            List<String> expected = lines(platform);
            assertThat(expected).contains("before: echo0", "sockets: done", "listeners: done", "end");
            assertThat(lines(fast)).isEqualTo(expected);
            assertThat(fast.err()).contains(FAST);
        }
    }

    @Test
    void listenersAcceptIntoSocketsAndSocketsGoByProxiesAsWithoutTheAgent() throws Exception {
        try (ChildProcess platform = start(PlatformProgram.class, List.of());
                ChildProcess fast =
                        start(PlatformProgram.class, AgentJar.options("log,after=2", "-Dgalerna.test.fast=true"))) {
            List<String> expected = lines(platform);
            assertThat(expected)
                    .contains(
                            "unbound: echo 9900, a limit of 0, java.net.DelegatingSocketImpl, then sun.net.PlatformSocketImpl",
                            "SOCKS: echo 9900, to the target's port: true",
                            "HTTP: echo 9900, to the target's port: false",
                            "end")
                    .anyMatch(line -> line.startsWith("closed: java.net.SocketException(Socket is closed)"));
            assertThat(lines(fast)).isEqualTo(expected);
        }
    }

    @Test
    void aProcessWithAProxyForItsSocketsIsFastToPeersOnTheHost() throws Exception {
        List<String> proxy = List.of("-DsocksProxyHost=198.51.100.1", "-DsocksProxyPort=1");
        List<String> options = new ArrayList<>(AgentJar.options("log,after=2", "-Dgalerna.test.fast=true"));
        options.addAll(proxy);
        try (ChildProcess platform = start(PlatformProgram.class, proxy);
                ChildProcess fast = start(PlatformProgram.class, options)) {
            assertThat(lines(fast)).isEqualTo(lines(platform)).contains("end");
            assertThat(fast.err()).contains(FAST);
        }
    }

    @Test
    void socketsFromBeforeTheAgentStayWhatTheyWere() throws Exception {
        List<String> options = List.of(
                "-Djdk.attach.allowAttachSelf=true",
                "-XX:+EnableDynamicAgentLoading",
                "--enable-native-access=ALL-UNNAMED");
        try (ChildProcess program =
                start(PlatformProgram.class, options, AgentJar.path().toString())) {
            assertThat(lines(program))
                    .containsExactly(
                            "connected before: echo 9900",
                            "listened before: echo 9900",
                            "made before: echo 9900",
                            "made later: echo 9900");
            assertThat(program.err()).contains(FAST);
        }
    }
}
