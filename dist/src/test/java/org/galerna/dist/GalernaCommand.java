package org.galerna.dist;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line of {@code galerna.jar} as it was built, for tests that run after that. */
final class GalernaCommand {
    private GalernaCommand() {}

    /** Java, its options for a quick start, the jar, and these words; may be added to. */
    static List<String> of(List<String> words) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-jar",
                Path.of("target/galerna.jar").toAbsolutePath().toString()));
        command.addAll(words);
        return command;
    }
}
