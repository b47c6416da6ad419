package org.galerna.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import org.galerna.launch.report.ExitStatus;
import org.galerna.memory.CpuList;
import org.galerna.memory.Topology;
import org.galerna.memory.Topology.Core;
import org.galerna.nativeaccess.thread.Affinity;
import org.galerna.testkit.process.Programs;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Ranks on cores, as the system sees them. */
@Timeout(60)
@EnabledOnOs(OS.LINUX)
class BindingTest {
    private static final String ALLOWED = """
            class Allowed {
                static String list(String thread) throws Exception {
                    return in(java.nio.file.Files.readAllLines(java.nio.file.Path.of(thread, "status")).stream());
                }

                static String in(java.util.stream.Stream<String> status) {
                    return status.filter(line -> line.startsWith("Cpus_allowed_list:"))
                            .findFirst().orElseThrow().substring(18).strip();
                }

                static String list() {
                    try {
                        return list("/proc/thread-self");
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                }
            }
            """;

    private final Topology topology = Topology.ofMachine();
    private final String everywhere = CpuList.format(topology.mask());

    @TempDir
    Path folder;

    @BeforeEach
    void somethingToChooseFrom() {
        assumeTrue(topology.cores().size() > 1, "there is one core only");
    }

    private String core(int rank) {
        Core core = topology.cores().get(rank % topology.cores().size());
        return CpuList.format(core.mask());
    }

    @Test
    void mainThreadsStayOnTheirCoresAndTheThreadsTheyStartDoNot() {
        Programs.compile(folder, ALLOWED, """
                import org.galerna.link.*; import org.galerna.link.wireup.*;

                public class Main {
                    public static void main(String[] args) throws Exception {
                        int rank = Wireups.find(Main.class.getClassLoader()).orElseThrow().rank();
                        String first = Allowed.list();
                        String[] ofThread = new String[1];
                        Thread thread = new Thread(() -> ofThread[0] = Allowed.list());
                        thread.start();
                        thread.join();
                        String later = Allowed.list();
                        Process process = new ProcessBuilder("cat", "/proc/self/status").start();
                        String ofProcess = Allowed.in(process.inputReader().lines());
                        process = Runtime.getRuntime().exec(new String[] {"cat", "/proc/self/status"});
                        ofProcess += " " + Allowed.in(process.inputReader().lines());
                        while (!later.equals(first)) {
                            Thread.yield();
                            later = Allowed.list();
                        }
                        System.out.println(rank + ": " + first + ", thread " + ofThread[0] + ", processes " + ofProcess);
                    }
                }
                """);
        int ranks = topology.cores().size() + 1; // so that other jobs on this machine cannot change the places
        Run run = Run.of(folder, ranks, "Main", job -> job.bindTo(BindTo.CORE));
        assertThat(run.report()).isEmpty();
        String children = ", thread " + everywhere + ", processes " + everywhere + " " + everywhere;
        assertThat(run.out().lines())
                .containsExactlyInAnyOrderElementsOf(IntStream.range(0, ranks)
                        .mapToObj(rank -> rank + ": " + core(rank) + children)
                        .toList());
    }

    @Test
    void threadsThatTheJdkStartsForARankAreFreedSoon() {
        Programs.compile(folder, ALLOWED, """
                import java.util.concurrent.*;
                import java.util.stream.*;

                public class Main {
                    public static void main(String[] args) throws Exception {
                        IntStream.range(0, 1000).parallel().sum();
                        Thread.startVirtualThread(() -> {}).join();
                        Process child = new ProcessBuilder("true").start();
                        child.waitFor();
                        String own = Allowed.list();
                        String self = "/proc/thread-self";
                        long others = Long.MAX_VALUE;
                        while (others > 0 || own.equals(args[0])) {
                            others = 0;
                            own = Allowed.list();
                            java.io.File me = new java.io.File(self).getCanonicalFile();
                            for (java.io.File thread : new java.io.File("/proc/self/task").listFiles()) {
                                try {
                                    if (!thread.getName().equals(me.getName())
                                            && !Allowed.list(thread.getPath()).equals(args[0])) {
                                        others++;
                                    }
                                } catch (java.io.IOException ended) {
                                }
                            }
                            Thread.yield();
                        }
                        System.out.println(own);
                    }
                }
                """);
        Run run = Run.of(folder, 1, "Main", job -> job.bindTo(BindTo.CORE), everywhere);
        assertThat(run.report()).isEmpty();
        assertThat(run.out().strip())
                .isIn(topology.cores().stream()
                        .map(core -> CpuList.format(core.mask()))
                        .toList());
    }

    @Test
    void saysWhereEachRankRunsAndLeavesTheCallersThreadAlone() {
        Programs.compile(folder, """
                public class Main {
                    public static void main(String[] args) {}
                }
                """);
        BitSet before = Affinity.instance().orElseThrow().get(Affinity.CALLER);
        int ranks = topology.cores().size();
        Run bound = Run.of(folder, ranks, "Main", job -> job.bindTo(BindTo.CORE).bindingsReported(true));
        assertThat(bound.err().lines())
                .hasSize(ranks)
                .first()
                .asString()
                .startsWith("galerna: rank 0 is bound to processor")
                .contains(" " + core(0) + " (a core of socket ");
        Run free = Run.of(folder, 2, "Main", job -> job.bindingsReported(true));
        assertThat(free.err()).isEqualTo("""
                        galerna: rank 0 is not bound: --bind-to none
                        galerna: rank 1 is not bound: --bind-to none
                        """);
        assertThat(Affinity.instance().orElseThrow().get(Affinity.CALLER)).isEqualTo(before);
        assertThat(free.status()).isEqualTo(ExitStatus.OK);
    }

    @Test
    void aJobWithinAJobKeepsAwayFromItsCores() {
        Programs.compile(folder, """
                public class Main {
                    public static void main(String[] args) {
                        System.exit(0);
                    }
                }
                """);
        List<Run> inner = new ArrayList<>();
        OutputStream runsAnother = new OutputStream() {
            @Override
            public void write(int oneByte) {
                if (oneByte == '\n' && inner.isEmpty()) {
                    inner.add(Run.of(
                            folder, 2, "Main", job -> job.bindTo(BindTo.AUTO).bindingsReported(true)));
                }
            }
        };
        int cores = topology.cores().size();
        Run.of(
                folder,
                cores,
                "Main",
                job -> job.bindTo(BindTo.CORE).bindingsReported(true).standardError(runsAnother));
        assertThat(inner).hasSize(1);
        assertThat(inner.get(0).err())
                .contains("rank 0 is not bound: other jobs hold " + cores + " of " + cores + " cores");
    }
}
