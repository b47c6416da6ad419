package org.galerna.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.galerna.testkit.process.ChildProcess;
import org.galerna.testkit.process.Programs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What code of the JDK finds that asks the system class loader for something of the program's. */
class SystemLoaderTest {
    private static final Duration LONGEST = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    private ChildProcess start(int ranks, String mainClass, List<String> options) {
        JobDescription job = new JobDescription(
                ranks,
                folder.toString(),
                mainClass,
                List.of(),
                Optional.empty(),
                false,
                BindTo.NONE,
                false,
                Duration.ZERO,
                Duration.ofSeconds(5),
                OptionalLong.of(ProcessHandle.current().pid()));
        return ChildProcess.start(ChildProcess.java(
                Stream.concat(Stream.of(RankSystemLoader.OPTION), options.stream())
                        .toList(),
                JobMain.class,
                job.toArguments()));
    }

    @Test
    void charsetsAndReflectionFindTheProgram() throws Exception {
        Programs.compile(folder, """
                import java.nio.charset.*;
                import java.util.*;

                public class Provider extends java.nio.charset.spi.CharsetProvider {
                    public Iterator<Charset> charsets() {
                        return List.of(charsetForName("x-own")).iterator();
                    }

                    public Charset charsetForName(String name) {
                        return !name.equals("x-own") ? null : new Charset("x-own", null) {
                            public boolean contains(Charset other) { return false; }
                            public CharsetDecoder newDecoder() { return StandardCharsets.US_ASCII.newDecoder(); }
                            public CharsetEncoder newEncoder() { return StandardCharsets.US_ASCII.newEncoder(); }
                        };
                    }
                }
                """, """
                import java.nio.charset.Charset;

                public class Main {
                    public static void main(String[] args) throws Exception {
                        System.out.println(new String("text".getBytes("x-own"), Charset.forName("x-own")));
                        ClassLoader system = (ClassLoader) ClassLoader.class.getMethod("getSystemClassLoader").invoke(null);
                        System.out.println(system.loadClass("Main") == Main.class);
                        System.out.println(system.getResource("Main.class") != null);
                        System.out.println(Class.forName("Main", true, system) == Main.class);
                    }
                }
                """);
        Path services = Files.createDirectories(folder.resolve("META-INF/services"));
        Files.writeString(services.resolve("java.nio.charset.spi.CharsetProvider"), "Provider\n");
        try (ChildProcess job = start(3, "Main", List.of())) {
            assertThat(job.awaitExit(LONGEST)).as(job.err()).isZero();
            assertThat(job.err()).isEmpty();
            assertThat(job.out().lines().sorted())
                    .containsExactly(
                            "text", "text", "text", "true", "true", "true", "true", "true", "true", "true", "true",
                            "true");
        }
    }

    @Test
    void aHandlerOfLogsIsTheProgramsOwn() throws Exception {
        Programs.compile(folder, """
                import java.util.logging.*;

                public class Own extends Handler {
                    public void publish(LogRecord record) { System.out.println("own " + record.getMessage()); }
                    public void flush() {}
                    public void close() {}
                }
                """, """
                import java.util.logging.*;

                public class Main {
                    public static void main(String[] args) throws Exception {
                        Logger.getLogger("some").info("text");
                    }
                }
                """);
        Path configuration = Files.writeString(folder.resolve("logging.properties"), "handlers = Own\n.level = INFO\n");
        try (ChildProcess job = start(3, "Main", List.of("-Djava.util.logging.config.file=" + configuration))) {
            assertThat(job.awaitExit(LONGEST)).as(job.err()).isZero();
            assertThat(job.err()).isEmpty();
            assertThat(job.out().lines()).containsExactly("own text", "own text", "own text");
        }
    }
}
