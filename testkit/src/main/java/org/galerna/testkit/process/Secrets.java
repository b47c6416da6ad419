package org.galerna.testkit.process;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;

/** Looks for a key where nobody may find it. */
public final class Secrets {
    private Secrets() {}

    /** The option that lets a Java program write down everything that it logs. */
    public static String logEverything(Path folder) throws IOException {
        Path logging = Files.writeString(folder.resolve("logging.properties"), """
                handlers = java.util.logging.ConsoleHandler
                .level = ALL
                java.util.logging.ConsoleHandler.level = ALL
                """);
        return "-Djava.util.logging.config.file=" + logging;
    }

    /** The arguments and the environment of a process, which the system shows to every process of the user. */
    public static String shownOf(ChildProcess process) throws IOException {
        Path proc = Path.of("/proc", String.valueOf(process.pid()));
        return new String(Files.readAllBytes(proc.resolve("cmdline")), ISO_8859_1)
                + new String(Files.readAllBytes(proc.resolve("environ")), ISO_8859_1);
    }

    /** Fails if a text has the key, or the beginning of it, in any of the ways in which bytes are written. */
    public static void assertNotIn(String text, byte[] key) {
        byte[] start = Arrays.copyOf(key, 6); // less would be shown already
        String base64 = Base64.getEncoder().encodeToString(start);
        assertThat(text)
                .doesNotContain(new String(start, ISO_8859_1))
                .doesNotContainIgnoringCase(HexFormat.of().formatHex(start))
                .doesNotContain(base64)
                .doesNotContain(List.of(start[0], start[1], start[2], start[3])
                        .toString()
                        .replace("]", ""));
    }
}
