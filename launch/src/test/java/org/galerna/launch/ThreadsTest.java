package org.galerna.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.galerna.testkit.process.Programs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The threads, hooks and handlers that a rank has like a process. */
@Timeout(60)
class ThreadsTest {
    @TempDir
    Path folder;

    @Test
    void aRankLivesAsLongAsItsThreadsThatAreNoDaemons() {
        Programs.compile(folder, """
                public class Main {
                    public static void main(String[] args) {
                        Thread daemon = new Thread(() -> { while (true) Thread.yield(); });
                        daemon.setDaemon(true);
                        daemon.start();
                        Thread main = Thread.currentThread();
                        new Thread(() -> {
                            try {
                                java.util.concurrent.TimeUnit.MILLISECONDS.sleep(200);
                            } catch (InterruptedException e) {
                                System.out.println("interrupted");
                            }
                            new Thread(() -> System.out.println("last")).start();
                        }).start();
                        main.interrupt();
                    }
                }
                """);
        Run run = Run.of(folder, 2, "Main");
        assertThat(run.status()).isZero();
        assertThat(run.out()).isEqualTo("last\nlast\n");
    }

    @Test
    void shutdownHooksRunAtTheEndOfTheRank() {
        Programs.compile(folder, """
                import org.galerna.link.*; import org.galerna.link.wireup.*;

                public class Main {
                    public static void main(String[] args) {
                        int rank = Wireups.find(Main.class.getClassLoader()).orElseThrow().rank();
                        Thread never = new Thread(() -> System.out.println("removed"));
                        Runtime.getRuntime().addShutdownHook(never);
                        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook of " + rank)));
                        System.out.println(Runtime.getRuntime().removeShutdownHook(never));
                        if (rank == 1) {
                            System.exit(0);
                        }
                        if (rank == 2) {
                            Runtime.getRuntime().halt(0);
                        }
                    }
                }
                """);
        assertThat(Run.of(folder, 3, "Main").sortedLines())
                .containsExactly("hook of 0", "hook of 1", "true", "true", "true");
    }

    @Test
    void shutdownHooksOfAllRanksRunWhenTheJobIsCutOff() {
        Programs.compile(folder, """
                import org.galerna.link.*; import org.galerna.link.wireup.*;

                public class Main {
                    public static void main(String[] args) throws Exception {
                        Wireup wireup = Wireups.find(Main.class.getClassLoader()).orElseThrow();
                        int rank = wireup.rank();
                        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook of " + rank)));
                        wireup.fence();
                        if (rank == 1) {
                            System.exit(5);
                        }
                        while (true) {
                            java.util.concurrent.TimeUnit.MILLISECONDS.sleep(1000);
                        }
                    }
                }
                """);
        Run run = Run.of(folder, 3, "Main");
        assertThat(run.status()).isEqualTo(5);
        assertThat(run.sortedLines()).containsExactly("hook of 0", "hook of 1", "hook of 2");
    }

    @Test
    void theDefaultHandlerOfUncaughtExceptionsIsTheRanksOwn() {
        Programs.compile(folder, """
                import org.galerna.link.*; import org.galerna.link.wireup.*;

                public class Main {
                    public static void main(String[] args) throws Exception {
                        int rank = Wireups.find(Main.class.getClassLoader()).orElseThrow().rank();
                        System.out.println(Thread.getDefaultUncaughtExceptionHandler());
                        if (rank == 0) {
                            Thread.setDefaultUncaughtExceptionHandler(
                                    (thread, exception) -> System.out.println("handled " + exception.getMessage()));
                            Runnable thrower = () -> { throw new IllegalStateException("in " + rank); };
                            Thread thread = new Thread(thrower);
                            thread.start();
                            thread.join();
                            Thread.startVirtualThread(thrower).join();
                        }
                    }
                }
                """);
        Run run = Run.of(folder, 2, "Main");
        assertThat(run.report()).isEmpty();
        assertThat(run.sortedLines()).containsExactly("handled in 0", "handled in 0", "null", "null");
    }

    @Test
    void theMainMethodMayTakeAnyFormThatJavaAllows() {
        Programs.compile(folder, """
                class Instance {
                    void main() {
                        System.out.println("instance");
                    }
                }
                """, """
                class WithArguments {
                    protected void main(String... args) {
                        System.out.println("arguments " + args.length);
                    }
                }
                """, """
                class Inherited extends WithArguments {}
                """, """
                class Both {
                    static void main() {
                        System.out.println("without");
                    }

                    static void main(String[] args) {
                        System.out.println("with");
                    }
                }
                """);
        assertThat(Run.of(folder, 1, "Instance", "a").out()).isEqualTo("instance\n");
        assertThat(Run.of(folder, 1, "WithArguments", "a", "b").out()).isEqualTo("arguments 2\n");
        assertThat(Run.of(folder, 1, "Inherited", "a", "b").out()).isEqualTo("arguments 2\n");
        assertThat(Run.of(folder, 1, "Both").out()).isEqualTo("with\n");
    }

    @Test
    void parallelStreamsAndPoolsWorkForTheRankThatUsesThem() {
        Programs.compile(folder, """
                import java.util.stream.IntStream;
                import org.galerna.link.*; import org.galerna.link.wireup.*;

                public class Main {
                    static final int rank = Wireups.find(Main.class.getClassLoader()).orElseThrow().rank();

                    public static void main(String[] args) throws Exception {
                        IntStream.range(0, 100).parallel().forEach(i -> System.out.println("rank " + rank));
                        java.util.concurrent.CompletableFuture.runAsync(() -> System.out.println("rank " + rank)).get();
                    }
                }
                """);
        Run run = Run.of(folder, 4, "Main", job -> job.labelled(true));
        assertThat(run.sortedLines())
                .hasSize(404)
                .allSatisfy(line -> assertThat(line).matches("\\[(\\d)\\] rank \\1"));
    }
}
