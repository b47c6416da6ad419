package org.galerna.cli.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.galerna.link.counters.JobReport;
import org.junit.jupiter.api.Test;

class WhereTest {
    private static final String DUMP = """
            2026-11-27 02:07:57
            Full thread dump OpenJDK 64-Bit Server VM (25+36-LTS mixed mode, sharing):

            Threads class SMR info:
            _java_thread_list=0x00007f, length=3, elements={
            0x1
            }

            "rank-0" #31 [25470] prio=5 os_prio=0 cpu=113.80ms elapsed=3.10s tid=0x1 nid=25470 waiting on condition  [0x2]
               java.lang.Thread.State: TIMED_WAITING (parking)
            	at jdk.internal.misc.Unsafe.park(java.base@25/Native Method)
            	- parking to wait for  <0x3> (a java.lang.Object)
            	at java.util.concurrent.locks.LockSupport.parkNanos(java.base@25/LockSupport.java:269)
            	at org.galerna.device.matching.engine.Progress.sleep(Progress.java:300)
            	at mpi.Comm.Recv(Comm.java:12)
            	at org.example.Main.take(Main.java:17)
            	at org.example.Main.main(Main.java:8)

            "rank-1" #32 [25471] prio=5 os_prio=0 cpu=1.80ms elapsed=3.10s tid=0x1 nid=25471 runnable  [0x2]
               java.lang.Thread.State: RUNNABLE
            	at org.example.Main.compute(Main.java:30)
            	at org.example.Main$Part.run(Unknown Source)

            "GC Thread#0" os_prio=0 cpu=8.21ms elapsed=3.20s tid=0x1 nid=25472 runnable
            """;

    @Test
    void readsTheStacksOfAThreadDump() {
        List<ThreadDump.Stack> stacks = ThreadDump.parse(DUMP);
        assertThat(stacks).extracting(ThreadDump.Stack::name).containsExactly("rank-0", "rank-1");
        assertThat(stacks.getFirst().number()).isEqualTo(31);
        assertThat(stacks.getFirst().state()).isEqualTo("sleeping");
        assertThat(stacks.getFirst().frames())
                .extracting(StackTraceElement::toString)
                .containsExactly(
                        "jdk.internal.misc.Unsafe.park(Native Method)",
                        "java.util.concurrent.locks.LockSupport.parkNanos(LockSupport.java:269)",
                        "org.galerna.device.matching.engine.Progress.sleep(Progress.java:300)",
                        "mpi.Comm.Recv(Comm.java:12)",
                        "org.example.Main.take(Main.java:17)",
                        "org.example.Main.main(Main.java:8)");
        assertThat(stacks.get(1).frames().getLast()).hasToString("org.example.Main$Part.run(Unknown Source)");
    }

    @Test
    void saysWhoWaitsForWhomAndShowsTheCycle() {
        JobReport job = new JobReport(
                "12ab34cd",
                List.of(
                        Reports.rank(0, 2, 7, true, 1, Reports.waitsFor(1, 31, "receive from rank 1, tag 7")),
                        Reports.rank(1, 2, 7, true, 1, Reports.waitsFor(0, 99, "Barrier"))));
        Where where = Where.put(job, Map.of(7L, ThreadDump.parse(DUMP)), List.of());
        assertThat(where.text()).contains("""
                        rank 0, in receive from rank 1, tag 7 for 4.0 s, waits for rank 1
                            at mpi.Comm.Recv(Comm.java:12)
                            at org.example.Main.take(Main.java:17)
                            at org.example.Main.main(Main.java:8)
                        rank 1, in Barrier for 4.0 s, waits for rank 0
                        """).endsWith("  cycle: 0 → 1 → 0\n");
    }

    @Test
    void aRankThatComputesShowsItsCalls() {
        JobReport job = new JobReport(
                "12ab34cd",
                List.of(Reports.rank(1, 3, 7, true, 1, List.of()), Reports.rank(2, 3, 8, false, 1, List.of())));
        Where where = Where.put(job, Map.of(7L, ThreadDump.parse(DUMP)), List.of());
        assertThat(where.text())
                .contains("""
                        rank 1, running
                            at org.example.Main.compute(Main.java:30)
                            at org.example.Main$Part.run(unknown source)
                        rank 2, killed
                        """)
                .endsWith("1 rank is on other hosts, or has left the job\n")
                .doesNotContain("cycle");
    }

    @Test
    void aRankInACallThatDoesNotSleepShowsNoInsides() {
        JobReport job = new JobReport("12ab34cd", List.of(Reports.rank(0, 1, 7, true, 1, List.of())));
        Where where = Where.put(job, Map.of(7L, ThreadDump.parse(DUMP)), List.of());
        assertThat(where.text()).contains("""
                        rank 0, in Recv
                            at mpi.Comm.Recv(Comm.java:12)
                            at org.example.Main.take(Main.java:17)
                            at org.example.Main.main(Main.java:8)
                        """);
    }

    @Test
    void commandsAreShortenedByTheirPackagesFirst() {
        assertThat(Words.command("org.example.Main 12", 40)).isEqualTo("org.example.Main 12");
        assertThat(Words.command("org.example.simulation.Main 12", 20)).isEqualTo("Main 12");
        assertThat(Words.command("org.example.simulation.VeryLongName 12", 10)).isEqualTo("VeryLon...");
        assertThat(Words.command("program.jar with many words", 15)).isEqualTo("program.jar ...");
    }

    /** Of this virtual machine, which has to be asked from outside as any other one. */
    @Test
    void asksAnotherVirtualMachine() throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                System.getProperty("java.home") + "/bin/java",
                "-cp",
                System.getProperty("java.class.path"),
                Sleeper.class.getName());
        Process process = builder.redirectErrorStream(true).start();
        try {
            assertThat(process.inputReader().readLine()).isEqualTo("here");
            assertThat(ThreadDump.of(process.pid()))
                    .filteredOn(stack -> stack.name().equals("main"))
                    .singleElement()
                    .satisfies(stack -> assertThat(stack.frames())
                            .anyMatch(frame -> frame.getClassName().equals(Sleeper.class.getName())
                                    && frame.getMethodName().equals("main")));
        } finally {
            process.destroyForcibly();
        }
    }

    /** Waits until it is ended. */
    static final class Sleeper {
        private Sleeper() {}

        public static void main(String[] arguments) throws InterruptedException {
            System.out.println("here");
            new CountDownLatch(1).await();
        }
    }
}
