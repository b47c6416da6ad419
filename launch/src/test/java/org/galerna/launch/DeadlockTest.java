package org.galerna.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.galerna.launch.report.Deadlock;
import org.galerna.launch.report.ExitStatus;
import org.galerna.launch.report.Outcome;
import org.galerna.testkit.process.Programs;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Jobs on {@code smdev} that stand still, for good or not. */
@Timeout(60)
class DeadlockTest {
    private static final Duration PATIENCE = Duration.ofMillis(600);

    /** Longer than the watch waits. */
    private static final String PAUSE = "1500";

    @TempDir
    static Path folder;

    @BeforeAll
    static void compile() {
        Programs.compile(folder, """
                import java.util.concurrent.*;
                import org.galerna.device.*;
                import org.galerna.link.*; import org.galerna.link.wireup.*;

                public class Main {
                    static Device device;
                    static int rank;
                    static int next;
                    static int previous;

                    public static void main(String[] args) throws Exception {
                        device = Devices.open("smdev", Wireups.find(Main.class.getClassLoader()).orElseThrow());
                        rank = device.rank();
                        next = (rank + 1) % device.size();
                        previous = (rank + device.size() - 1) % device.size();
                        long pause = args.length > 1 ? Long.parseLong(args[1]) : 0;
                        switch (args[0]) {
                            case "ring" -> receive(next);
                            case "ended" -> {
                                if (rank == 0) {
                                    System.exit(0);
                                }
                                receive(3 - rank);
                            }
                            case "anybody" -> receive(Device.ANY_SOURCE);
                            case "helperWaits" -> {
                                new Thread(() -> receive(previous), "helper").start();
                                receive(next);
                            }
                            case "latch" -> {
                                CountDownLatch latch = new CountDownLatch(1);
                                Thread.startVirtualThread(() -> receive(next));
                                latch.await();
                            }
                            case "rankComputes" -> {
                                if (rank == 0) {
                                    compute(pause);
                                    send();
                                    receive(next);
                                } else {
                                    receive(next);
                                    send();
                                }
                            }
                            case "platformComputes" -> inBackground(new Thread(() -> { compute(pause); send(); }));
                            case "virtualComputes" ->
                                inBackground(Thread.ofVirtual().unstarted(() -> { compute(pause); send(); }));
                            case "virtualSleeps" ->
                                inBackground(Thread.ofVirtual().unstarted(() -> { pause(pause); send(); }));
                            case "commonPoolComputes" -> {
                                var task = CompletableFuture.runAsync(() -> { compute(pause); send(); });
                                receive(next);
                                task.join();
                            }
                            case "processRuns" -> {
                                Process process = new ProcessBuilder("sleep", "1.5").start();
                                inBackground(new Thread(() -> { await(process); send(); }));
                            }
                            case "idleThreads" -> { beIdle(); receive(next); }
                            default -> throw new IllegalArgumentException(args[0]);
                        }
                        device.close();
                    }

                    static void inBackground(Thread sender) throws Exception {
                        sender.start();
                        receive(next);
                        sender.join();
                    }

                    static void receive(int source) {
                        device.recv(new byte[8], 0, 8, source, 7, 0);
                    }

                    static void send() {
                        device.send(new byte[8], 0, 8, previous, 7, 0);
                    }

                    static void beIdle() throws Exception {
                        System.setProperty("java.awt.headless", "true");
                        new java.awt.image.BufferedImage(1, 1, 1).createGraphics().dispose();
                        Executors.newFixedThreadPool(2).submit(() -> {}).get();
                        Executors.newCachedThreadPool().submit(() -> {}).get();
                        Executors.newScheduledThreadPool(2).submit(() -> {}).get();
                        Executors.newVirtualThreadPerTaskExecutor().submit(() -> {}).get();
                        CompletableFuture.runAsync(() -> {}).get();
                        new java.util.Timer();
                        new ProcessBuilder("true").start().waitFor();
                    }

                    static void compute(long millis) {
                        long end = System.nanoTime() + millis * 1_000_000;
                        while (System.nanoTime() < end) {
                            Thread.onSpinWait();
                        }
                    }

                    static void pause(long millis) {
                        try {
                            java.util.concurrent.TimeUnit.MILLISECONDS.sleep(millis);
                        } catch (InterruptedException e) {
                            throw new IllegalStateException(e);
                        }
                    }

                    static void await(Process process) {
                        try {
                            process.waitFor();
                        } catch (InterruptedException e) {
                            throw new IllegalStateException(e);
                        }
                    }
                }
                """);
    }

    private Run run(int ranks, String... arguments) {
        return Run.of(folder, ranks, "Main", job -> job.deadlockTimeout(PATIENCE), arguments);
    }

    private Deadlock deadlock(int ranks, String... arguments) {
        Run run = run(ranks, arguments);
        assertThat(run.status()).as(run.report()).isEqualTo(ExitStatus.DEADLOCK);
        assertThat(run.result().duration()).isLessThan(Duration.ofSeconds(40));
        return ((Outcome.Deadlocked) run.result().outcome()).deadlock();
    }

    @Test
    void aRingOfReceivesIsReportedWithItsCycle() {
        Run run = run(3, "ring");
        assertThat(run.status()).isEqualTo(ExitStatus.DEADLOCK);
        assertThat(run.report().lines().skip(1))
                .containsExactly(
                        "  rank 0   waits for rank 1  in receive from rank 1, tag 7  at Main.receive(Main.java:72)",
                        "  rank 1   waits for rank 2  in receive from rank 2, tag 7  at Main.receive(Main.java:72)",
                        "  rank 2   waits for rank 0  in receive from rank 0, tag 7  at Main.receive(Main.java:72)",
                        "  cycle: 0 \u2192 1 \u2192 2 \u2192 0");
        assertThat(run.report())
                .startsWith("galerna: deadlock: every rank that has not ended waits for a message, and nothing has"
                        + " moved for ");
    }

    @Test
    void theThreadsOfADeadlockedJobAreLetGo() {
        assertThat(run(3, "ring").status()).isEqualTo(ExitStatus.DEADLOCK);
        long deadline = System.nanoTime() + Duration.ofSeconds(40).toNanos();
        while (inReceive() > 0 && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
        assertThat(inReceive()).isZero();
    }

    private static long inReceive() {
        return Thread.getAllStackTraces().values().stream()
                .flatMap(Arrays::stream)
                .filter(frame -> frame.getClassName().equals("Main"))
                .count();
    }

    @Test
    void ranksThatHaveEndedAreListed() {
        Deadlock deadlock = deadlock(3, "ended");
        assertThat(deadlock.ended()).containsExactly(0);
        assertThat(deadlock.cycle()).containsExactly(1, 2);
        assertThat(deadlock.waiters()).extracting(Deadlock.Waiter::rank).containsExactly(1, 2);
        assertThat(deadlock.waiters()).extracting(Deadlock.Waiter::peer).containsExactly(2, 1);
    }

    @Test
    void receivesFromAnybodyHaveNoCycle() {
        Deadlock deadlock = deadlock(2, "anybody");
        assertThat(deadlock.cycle()).isEmpty();
        assertThat(deadlock.waiters()).extracting(Deadlock.Waiter::peer).containsOnly(Deadlock.Waiter.ANYBODY);
    }

    @Test
    void everyWaitingThreadIsListed() {
        assertThat(deadlock(2, "helperWaits").waiters())
                .extracting(waiter -> waiter.rank() + " " + waiter.thread())
                .isEqualTo(List.of("0 helper", "0 rank-0", "1 helper", "1 rank-1"));
    }

    @Test
    void aMainThreadThatWaitsForABlockedThreadIsNoWayOut() {
        assertThat(deadlock(2, "latch").cycle()).containsExactly(0, 1);
    }

    @Test
    void threadsThatHaveNothingToDoAreNoWayOut() {
        assertThat(deadlock(2, "idleThreads").cycle()).containsExactly(0, 1);
    }

    @Test
    void aComputingRankIsNoDeadlock() {
        assertNoDeadlock("rankComputes");
    }

    @Test
    void aComputingThreadIsNoDeadlock() {
        assertNoDeadlock("platformComputes");
    }

    @Test
    void aComputingVirtualThreadIsNoDeadlock() {
        assertNoDeadlock("virtualComputes");
    }

    @Test
    @Tag("slow")
    void aSleepingVirtualThreadIsNoDeadlock() {
        assertNoDeadlock("virtualSleeps");
    }

    @Test
    @Tag("slow")
    void aTaskInTheCommonPoolIsNoDeadlock() {
        assertNoDeadlock("commonPoolComputes");
    }

    @Test
    @Tag("slow")
    void aRunningProcessIsNoDeadlock() {
        assertNoDeadlock("processRuns");
    }

    private void assertNoDeadlock(String action) {
        Run run = run(2, action, PAUSE);
        assertThat(run.report()).isEmpty();
        assertThat(run.status()).isZero();
        assertThat(run.result().duration()).isGreaterThan(PATIENCE.multipliedBy(2));
    }

    @Test
    @Tag("slow")
    void withoutAWatchOnlyTheTimeLimitEndsIt() {
        Run run = Run.of(
                folder, 2, "Main", job -> job.deadlockTimeout(Duration.ZERO).timeout(Duration.ofSeconds(3)), "ring");
        assertThat(run.status()).isEqualTo(ExitStatus.TIMEOUT);
        assertThat(run.report()).containsPattern("""
                        rank 0, in receive from rank 1, tag 7 for .* s, waits for rank 1
                            at Main.receive\\(Main.java:72\\)
                        """);
    }
}
