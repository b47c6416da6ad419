package org.galerna.link.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.galerna.device.Device;
import org.galerna.device.DeviceException;
import org.galerna.device.Devices;
import org.galerna.device.Request;
import org.galerna.link.Wireup;
import org.galerna.link.wireup.Wireups;
import org.galerna.testkit.Deadline;
import org.galerna.testkit.Fault;
import org.galerna.testkit.Payload;
import org.galerna.testkit.process.ChildProcess;
import org.galerna.testkit.process.RankProcesses;
import org.galerna.testkit.process.Secrets;
import org.galerna.testkit.process.TestLauncher;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ranks that are processes, where there is an adapter: {@link AdapterTest} runs it. */
class VerbsProcessesSuite {
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final int KILLED = 137;
    private static final List<String> OBJECTS = List.of("qp", "cq", "mr", "pd");
    private static final Pattern HOLDER = Pattern.compile("\\bpid (\\d+)");
    private static final int[] SIZES = {0, 1, 100, 8192, 8193, 100_003, (1 << 20) + 1};

    private static final List<String> OPTIONS =
            List.of("--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC", "-Xmx256m", "-Dgalerna.peer.timeout=600");

    @Test
    void ranksTalkAndOneThatIsKilledIsNamedByTheOther() throws InterruptedException {
        try (RankProcesses job = RankProcesses.start(2, OPTIONS, TalkThenWait.class)) {
            job.rank(0).awaitOut(out -> out.contains("exchanged"), LONG);
            job.rank(1).awaitOut(out -> out.contains("exchanged"), LONG);
            job.rank(1).signal("KILL");
            job.rank(0).awaitOut(out -> out.contains("failed"), LONG);
            assertThat(job.rank(0).out()).contains("rank 1 is gone").doesNotContain("over");
            assertThat(job.rank(0).awaitExit(LONG)).isZero();
        }
    }

    @Test
    @Fault(19)
    @Tag(TestLauncher.SLOW_IN_GUEST)
    void aRankThatIsStoppedForAMomentGoesOn() throws InterruptedException {
        try (RankProcesses job = RankProcesses.start(2, OPTIONS, Rounds.class)) {
            for (int pause = 1; pause <= 3; pause++) {
                awaitRound(job, 3 * pause);
                job.rank(1).signal("STOP");
                Deadline.after(LONG)
                        .await(
                                "the stop",
                                () -> read("/proc/" + job.rank(1).pid() + "/stat")
                                        .contains(") T "));
                job.rank(1).signal("CONT");
                awaitRound(job, 3 * pause + 2);
            }
            assertThat(job.rank(0).err() + job.rank(1).err()).isEmpty();
        }
    }

    /** Queue pairs, queues and registered memory: there is nothing else that could be left. */
    @Test
    @Fault(16)
    @Tag(TestLauncher.SLOW_IN_GUEST)
    void whatKilledRanksHaveOfTheAdapterIsGivenBack() throws InterruptedException {
        try (RankProcesses job = RankProcesses.start(2, OPTIONS, Rounds.class)) {
            awaitRound(job, 1);
            Set<String> threads = new HashSet<>();
            for (int rank = 0; rank < 2; rank++) {
                Set<String> own = threadsOf(job.rank(rank));
                for (String kind : OBJECTS) {
                    assertThat(holders(kind)).as(kind).containsAnyElementsOf(own);
                }
                threads.addAll(own);
            }
            for (int rank = 0; rank < 2; rank++) {
                job.rank(rank).signal("KILL");
            }
            assertThat(job.awaitExits(LONG)).containsOnly(KILLED);
            for (String kind : OBJECTS) {
                assertThat(holders(kind)).as(kind).doesNotContainAnyElementsOf(threads);
            }
        }
    }

    /** Also not the one that the sockets prove by which these ranks meet. */
    @Test
    @Fault(32)
    @Tag(TestLauncher.SLOW_IN_GUEST)
    void theKeyIsInNoArgumentNoVariableAndNoLog(@TempDir Path folder) throws Exception {
        List<String> options = new ArrayList<>(OPTIONS);
        options.add(Secrets.logEverything(folder));
        try (RankProcesses job = RankProcesses.start(2, options, Rounds.class)) {
            awaitRound(job, 1);
            byte[] key = job.published(0, "galerna.verbs.0.galerna.key").orElseThrow();
            assertThat(key).hasSize(32);
            for (int rank = 0; rank < 2; rank++) {
                String process = Secrets.shownOf(job.rank(rank));
                assertThat(process).contains("Rounds"); // so it is what it should be
                Secrets.assertNotIn(process, key);
            }
            job.rank(1).signal("KILL"); // what is said about a loss is looked at too
            job.rank(0).awaitOut(out -> out.contains("failed"), LONG);
            assertThat(job.rank(0).awaitExit(LONG)).isZero();
            for (int rank = 0; rank < 2; rank++) {
                Secrets.assertNotIn(job.rank(rank).out() + job.rank(rank).err(), key);
            }
        }
    }

    private static void awaitRound(RankProcesses job, int round) throws InterruptedException {
        job.rank(0).awaitOut(out -> out.contains("round " + round + "."), LONG);
    }

    private static String read(String file) {
        try {
            return Files.readString(Path.of(file));
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    private static Set<String> threadsOf(ChildProcess process) {
        String[] threads = new File("/proc/" + process.pid() + "/task").list();
        return Set.of(Objects.requireNonNull(threads, "the threads of a process that is there"));
    }

    /** The threads that have made what there is on the adapter, as the kernel says. */
    private static List<String> holders(String kind) throws InterruptedException {
        try (ChildProcess rdma = ChildProcess.start(List.of("rdma", "resource", "show", kind))) {
            assertThat(rdma.awaitExit(LONG)).as(rdma.err()).isZero();
            return HOLDER.matcher(rdma.out())
                    .results()
                    .map(found -> found.group(1))
                    .toList();
        }
    }

    /** Both ranks send each other messages again and again, until one is killed. */
    static final class Rounds {
        public static void main(String[] arguments) {
            try (Wireup wireup = Wireups.ofProcess().orElseThrow();
                    Device device = Devices.open("ibvdev", wireup)) {
                for (int round = 1; ; round++) {
                    for (int size : new int[] {100, 100_003}) {
                        TalkThenWait.exchange(device, 1 - device.rank(), size);
                    }
                    System.out.println("round " + round + ".");
                }
            } catch (DeviceException failed) {
                System.out.println("failed: " + failed.getMessage());
            }
        }
    }

    /** Both ranks send each other messages of many sizes, and wait then for one that never comes. */
    static final class TalkThenWait {
        public static void main(String[] arguments) {
            try (Wireup wireup = Wireups.ofProcess().orElseThrow();
                    Device device = Devices.open("ibvdev", wireup)) {
                int peer = 1 - device.rank();
                for (int size : SIZES) {
                    exchange(device, peer, size);
                }
                System.out.println("exchanged");
                try {
                    device.recv(new byte[1], 0, 1, peer, 7, 0).release();
                    System.out.println("over");
                } catch (DeviceException failed) {
                    System.out.println("failed: " + failed.getMessage());
                }
            }
        }

        private static void exchange(Device device, int peer, int size) {
            byte[] out = Payload.of(Payload.seed(device.rank(), size), size);
            Request send = device.isend(out, 0, size, peer, size, 0);
            byte[] in = new byte[size];
            device.recv(in, 0, size, peer, size, 0).release();
            Payload.difference(in, Payload.seed(peer, size)).ifPresent(wrong -> {
                throw new AssertionError(wrong);
            });
            send.await();
            send.release();
        }
    }
}
