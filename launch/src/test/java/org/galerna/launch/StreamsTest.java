package org.galerna.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.galerna.testkit.process.Programs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What ranks read and print. */
@Timeout(60)
class StreamsTest {
    @TempDir
    Path folder;

    @Test
    void linesAreLabelledAndStayWholeWhateverTheRanksPrintWith() {
        Programs.compile(folder, """
                import java.util.Locale;
                import org.galerna.link.*; import org.galerna.link.wireup.*;

                public class Main {
                    public static void main(String[] args) throws Exception {
                        int rank = Wireups.find(Main.class.getClassLoader()).orElseThrow().rank();
                        Runnable printer = () -> {
                            for (int i = 0; i < 50; i++) {
                                System.out.print(rank);
                                System.out.print(':');
                                System.out.print("a".repeat(20));
                                System.out.printf(" %d of %s", i, "50");
                                System.out.format(Locale.ROOT, " %.1f", 1.5).append(' ').append("x").append("wyz", 1, 2);
                                System.out.println(new char[] {' ', 'e'});
                                System.err.println("err " + rank);
                            }
                        };
                        printer.run();
                        Thread platform = new Thread(printer);
                        platform.start();
                        platform.join();
                        Thread.startVirtualThread(printer).join();
                    }
                }
                """);
        // however long the machine has no time for a rank in the middle of a line
        UnaryOperator<ThreadJob.Builder> patient = job -> job.ageOfPartialLines(Duration.ofDays(1));
        Run run = Run.of(folder, 4, "Main", job -> patient.apply(job).labelled(true));
        assertThat(run.out().lines())
                .hasSize(4 * 150)
                .allSatisfy(line -> assertThat(line).matches("\\[(\\d)\\] \\1:a{20} \\d+ of 50 1.5 xy e"));
        assertThat(run.err().lines())
                .hasSize(4 * 150)
                .allSatisfy(line -> assertThat(line).matches("\\[(\\d)\\] err \\1"));
        assertThat(Run.of(folder, 4, "Main", patient).out().lines())
                .hasSize(4 * 150)
                .allSatisfy(line -> assertThat(line).matches("\\d:a{20} \\d+ of 50 1.5 xy e"));
    }

    @Test
    void rankZeroReadsTheStandardInputAndTheOthersFindItEmpty() {
        Programs.compile(folder, """
                public class Main {
                    public static void main(String[] args) throws Exception {
                        var scanner = new java.util.Scanner(System.in);
                        System.out.println(scanner.hasNextLine() ? scanner.nextLine() + System.in.available() : "end");
                    }
                }
                """);
        Run run = Run.of(
                folder,
                3,
                "Main",
                job -> job.labelled(true)
                        .standardInput(new ByteArrayInputStream("first\nsecond\n".getBytes(StandardCharsets.UTF_8))));
        assertThat(run.sortedLines()).containsExactly("[0] first0", "[1] end", "[2] end");
    }

    @Test
    void aRankCanReplaceItsStreamsWithoutTheOthersNoticing() {
        Programs.compile(folder, """
                import java.io.*;
                import org.galerna.link.*; import org.galerna.link.wireup.*;

                public class Main {
                    public static void main(String[] args) throws Exception {
                        Wireup wireup = Wireups.find(Main.class.getClassLoader()).orElseThrow();
                        PrintStream before = System.out;
                        var caught = new ByteArrayOutputStream();
                        if (wireup.rank() == 1) {
                            System.setOut(new PrintStream(caught, true));
                            System.setErr(System.out);
                            System.setIn(new ByteArrayInputStream(new byte[] {42}));
                        }
                        wireup.fence();
                        System.out.print("out ");
                        System.err.print("err ");
                        int read = System.in.read();
                        wireup.fence();
                        System.setOut(before);
                        if (wireup.rank() == 1) {
                            System.out.println(caught + " " + read);
                        }
                    }
                }
                """);
        Run run = Run.of(folder, 2, "Main", job -> job.labelled(true));
        assertThat(run.sortedLines()).containsExactly("[0] out ", "[1] out err  42");
        assertThat(run.err()).isEqualTo("[0] err \n");
    }

    @Test
    void aReplacementMayPrintOnTheStreamThatItReplaces() {
        Programs.compile(folder, """
                import java.io.*;

                public class Main {
                    public static void main(String[] args) throws Exception {
                        // as a part of the JDK would get hold of it
                        PrintStream held = (PrintStream) System.class.getField("err").get(null);
                        System.setErr(new PrintStream(new OutputStream() {
                            @Override
                            public void write(int b) {
                                if (b == '!') {
                                    held.println("bang");
                                }
                            }
                        }, true));
                        PrintStream before = System.out;
                        System.setOut(new PrintStream(new OutputStream() {
                            @Override
                            public void write(int b) {
                                before.write(Character.toUpperCase(b));
                            }
                        }, true));
                        System.out.println("tee");
                        IO.println("io");
                        System.err.print("!");
                    }
                }
                """);
        Run run = Run.of(folder, 2, "Main", job -> job.labelled(true));
        assertThat(run.report()).isEmpty();
        assertThat(run.sortedLines()).containsExactly("[0] IO", "[0] TEE", "[1] IO", "[1] TEE");
        assertThat(run.err().lines()).containsExactlyInAnyOrder("[0] bang", "[1] bang");
    }

    @Test
    void outputWithoutALineEndAppearsAtTheEnd() {
        Programs.compile(folder, """
                public class Main {
                    public static void main(String[] args) {
                        System.out.print("rest");
                    }
                }
                """);
        assertThat(Run.of(folder, 1, "Main").out()).isEqualTo("rest");
        assertThat(Run.of(folder, 2, "Main", job -> job.labelled(true)).sortedLines())
                .isEqualTo(List.of("[0] rest", "[1] rest"));
    }
}
