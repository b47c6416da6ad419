package org.galerna.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.galerna.launch.report.ExitStatus;
import org.galerna.launch.report.Outcome;
import org.galerna.testkit.Fault;
import org.galerna.testkit.process.Programs;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How jobs end: by themselves, by exit and abort, by exceptions, by time. */
@Timeout(60)
class ExitTest {
    /** A rank that does what its first argument says; the others do what the second says. */
    private static final String MAIN = """
            import org.galerna.link.*; import org.galerna.link.wireup.*;

            public class Main {
                static final Wireup wireup = Wireups.find(Main.class.getClassLoader()).orElseThrow();

                public static void main(String[] args) throws Throwable {
                    act(args[wireup.rank() == 1 ? 0 : 1]);
                    System.out.println("end of " + wireup.rank());
                }

                static void act(String what) throws Throwable {
                    switch (what) {
                        case "nothing" -> {}
                        case "exit0" -> System.exit(0);
                        case "exit7" -> System.exit(7);
                        case "exit256" -> System.exit(256);
                        case "halt512" -> Runtime.getRuntime().halt(512);
                        case "exit-1" -> System.exit(-1);
                        case "exit263" -> System.exit(263);
                        case "runtime" -> Runtime.getRuntime().exit(8);
                        case "halt" -> Runtime.getRuntime().halt(9);
                        case "reference" -> {
                            java.util.function.IntConsumer exit = System::exit;
                            exit.accept(10);
                        }
                        case "bound" -> {
                            java.util.function.IntConsumer exit = Runtime.getRuntime()::exit;
                            exit.accept(11);
                        }
                        case "otherThread" -> {
                            new Thread(() -> System.exit(12)).start();
                            spin();
                        }
                        case "abort" -> wireup.abort(13, "had enough");
                        case "throw" -> throw new IllegalStateException("bad", new Exception("worse"));
                        case "threadThrows" -> {
                            new Thread(() -> { throw new IllegalStateException("bad"); }, "worker").start();
                            spin();
                        }
                        case "virtualThrows" -> {
                            Thread.ofVirtual().name("light").start(() -> { throw new IllegalStateException("bad"); });
                            spin();
                        }
                        case "overflow" -> overflow(0);
                        case "missing" -> throw new NoClassDefFoundError("com/example/Gone");
                        case "initializer" -> Broken.touch();
                        case "spin" -> spin();
                        case "block" -> new java.util.concurrent.CountDownLatch(1).await();
                        case "lock" -> {
                            Object lock = new Object();
                            synchronized (lock) {
                                while (true) {
                                    lock.wait();
                                }
                            }
                        }
                        default -> throw new IllegalArgumentException(what);
                    }
                }

                static void spin() {
                    while (!Thread.currentThread().isInterrupted()) {
                        Thread.onSpinWait();
                    }
                }

                static long overflow(long depth) {
                    return 1 + overflow(depth + 1);
                }

                static class Broken {
                    static final int VALUE = Integer.parseInt("x");

                    static void touch() {}
                }
            }
            """;

    @TempDir
    Path folder;

    private Run run(String... arguments) {
        Programs.compile(folder, MAIN);
        return Run.of(folder, 4, "Main", arguments);
    }

    @Test
    void endsWellWhenAllRanksDo() {
        Run run = run("nothing", "nothing");
        assertThat(run.result().outcome()).isEqualTo(new Outcome.Completed());
        assertThat(run.status()).isZero();
        assertThat(run.report()).isEmpty();
        assertThat(run.sortedLines()).containsExactly("end of 0", "end of 1", "end of 2", "end of 3");
    }

    @Test
    void exitWithZeroEndsThatRankAlone() {
        Run run = run("exit0", "nothing");
        assertThat(run.status()).isZero();
        assertThat(run.sortedLines()).containsExactly("end of 0", "end of 2", "end of 3");
    }

    @ParameterizedTest
    @ValueSource(strings = {"exit256", "halt512"})
    void exitWithAMultipleOf256IsZeroAsForAProcess(String action) {
        Run run = run(action, "nothing");
        assertThat(run.result().outcome()).isEqualTo(new Outcome.Completed());
        assertThat(run.sortedLines()).containsExactly("end of 0", "end of 2", "end of 3");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "exit-1:255",
                "exit263:7",
                "exit7:7",
                "runtime:8",
                "halt:9",
                "reference:10",
                "bound:11",
                "otherThread:12"
            })
    void exitWithAnotherStatusEndsTheJobAtOnce(String actionAndStatus) {
        String[] parts = actionAndStatus.split(":");
        Run run = run(parts[0], "spin");
        int status = Integer.parseInt(parts[1]);
        assertThat(run.result().outcome()).isEqualTo(new Outcome.Exited(1, status));
        assertThat(run.status()).isEqualTo(status);
        assertThat(run.report()).isEqualTo("galerna: rank 1 has ended the job with exit status " + status + "\n");
        assertThat(run.out()).isEmpty();
    }

    @Test
    void abortEndsTheJobWithItsReason() {
        Run run = run("abort", "block");
        assertThat(run.result().outcome()).isEqualTo(new Outcome.Aborted(1, 13, "had enough"));
        assertThat(run.report()).isEqualTo("galerna: rank 1 has aborted the job with status 13: had enough\n");
        assertThat(run.out()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"spin", "block", "lock", "nothing"})
    void anExceptionEndsTheJobWhateverTheOthersDo(String others) {
        Run run = run("throw", others);
        assertThat(run.status()).isEqualTo(ExitStatus.FAILED);
        assertThat(run.report()).isEqualTo("""
                galerna: rank 1 has failed: java.lang.IllegalStateException: bad
                    at Main.act(Main.java:35)
                    at Main.main(Main.java:7)
                Caused by: java.lang.Exception: worse
                    at Main.act(Main.java:35)
                    at Main.main(Main.java:7)
                """);
        assertThat(run.err()).isEmpty();
    }

    @Test
    void anExceptionInAnotherThreadOfTheRankEndsTheJob() {
        assertThat(run("threadThrows", "spin").report()).startsWith("""
                        galerna: rank 1 has failed in thread worker: java.lang.IllegalStateException: bad
                            at Main.lambda$act$""");
    }

    @Test
    void anExceptionInAVirtualThreadOfTheRankEndsTheJob() {
        assertThat(run("virtualThrows", "spin").report()).startsWith("galerna: rank 1 has failed in thread light: ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "overflow:java.lang.StackOverflowError",
                "missing:java.lang.NoClassDefFoundError: com/example/Gone",
                "initializer:java.lang.ExceptionInInitializerError"
            })
    void anErrorEndsTheJob(String actionAndError) {
        String[] parts = actionAndError.split(":", 2);
        Run run = run(parts[0], "spin");
        assertThat(run.status()).isEqualTo(ExitStatus.FAILED);
        assertThat(run.report()).startsWith("galerna: rank 1 has failed: " + parts[1]);
    }

    @Test
    void onlyTheFirstFailureIsReported() {
        Run run = run("throw", "throw");
        assertThat(run.report()).containsOnlyOnce("galerna: ").containsOnlyOnce("IllegalStateException");
        assertThat(run.err()).isEmpty();
    }

    @Test
    @Tag("slow")
    void aJobThatTakesTooLongIsEndedWithThePlaceOfEveryRank() {
        Programs.compile(folder, MAIN);
        Run run = Run.of(folder, 2, "Main", job -> job.timeout(Duration.ofMillis(2500)), "block", "spin");
        assertThat(run.status()).isEqualTo(ExitStatus.TIMEOUT);
        assertThat(run.report())
                .startsWith("galerna: the job has not ended within 2.5 s; where its ranks are:\nrank 0, running\n")
                .containsPattern("""
                        rank 0, running
                        (    at java.*\n)*    at Main.spin\\(Main.java:\\d+\\)
                            at Main.act\\(Main.java:\\d+\\)
                            at Main.main\\(Main.java:7\\)
                        """)
                .containsPattern("rank 1, waiting\n(    at (java|jdk).*\n)+    at Main.act")
                .doesNotContain("org.galerna");
    }

    @Test
    void anInterruptOfTheLauncherEndsTheJob() throws Exception {
        Programs.compile(folder, MAIN);
        Thread launcher = new Thread(() -> {
            Run run = Run.of(folder, 2, "Main", "block", "spin");
            assertThat(run.result().outcome()).isInstanceOf(Outcome.Interrupted.class);
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        });
        Throwable[] failure = new Throwable[1];
        launcher.setUncaughtExceptionHandler((thread, exception) -> failure[0] = exception);
        launcher.start();
        launcher.interrupt();
        launcher.join();
        assertThat(failure[0]).isNull();
    }

    @Test
    @Fault(27)
    void jobsCanFollowEachOtherInOneJvmAndLeaveNothingBehind() {
        Programs.compile(folder, MAIN);
        PrintStream out = System.out;
        Thread.UncaughtExceptionHandler handler = Thread.getDefaultUncaughtExceptionHandler();
        for (String others : new String[] {"nothing", "throw", "exit0", "exit7", "nothing"}) {
            Run run = Run.of(folder, 4, "Main", "nothing", others);
            assertThat(run.result().outcome()).isNotNull();
            assertThat(System.out).isSameAs(out);
            assertThat(Thread.getDefaultUncaughtExceptionHandler()).isSameAs(handler);
        }
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (ranksAlive().findAny().isPresent() && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
        assertThat(ranksAlive()).isEmpty();
    }

    private static Stream<Thread> ranksAlive() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("rank-"));
    }
}
