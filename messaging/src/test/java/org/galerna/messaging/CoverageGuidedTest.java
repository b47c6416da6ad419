package org.galerna.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.Jazzer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.galerna.testkit.process.ChildProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever comes from other nodes, made up by which code it reaches. */
@Tag("slow")
class CoverageGuidedTest {
    private static final Duration PATIENCE = Duration.ofHours(1);

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "connection.FrameDecodersTest",
                "handshake.HandshakeDecodersTest",
                "serialization.RecordDecoderTest",
                "service.ServiceDecodersTest",
                "stream.StreamDecodersTest"
            })
    void bytesAreReadOrRefused(String test) throws IOException, InterruptedException {
        String target = getClass().getPackageName() + "." + test + "$Target";
        Path corpus = Files.createDirectory(folder.resolve("corpus"));
        int number = 0;
        for (byte[] seed : FuzzTarget.of(target).seeds()) {
            Files.write(corpus.resolve("seed" + number++), seed);
        }
        List<String> command = ChildProcess.java(
                List.of(
                        "-D" + FuzzDriver.TARGET_PROPERTY + "=" + target,
                        "-XX:+EnableDynamicAgentLoading",
                        "--enable-native-access=ALL-UNNAMED"),
                Jazzer.class,
                List.of(
                        "--target_class=" + FuzzDriver.class.getName(),
                        "--instrumentation_includes=org.galerna.messaging.**",
                        "--disabled_hooks=.*", // those find faults of another kind
                        "--reproducer_path=" + folder,
                        "-artifact_prefix=" + folder + "/",
                        "-runs=" + DecoderInputs.NUMBER,
                        corpus.toString()));
        try (ChildProcess fuzzer = ChildProcess.start(command)) {
            assertThat(fuzzer.awaitExit(PATIENCE)).as(fuzzer.err()).isZero();
            assertThat(fuzzer.err()).contains("Done " + DecoderInputs.NUMBER + " runs");
        }
    }
}
