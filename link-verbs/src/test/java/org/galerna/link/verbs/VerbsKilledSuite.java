package org.galerna.link.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.galerna.device.Device;
import org.galerna.device.DeviceException;
import org.galerna.device.Devices;
import org.galerna.device.Request;
import org.galerna.link.LinkOptions;
import org.galerna.link.Wireup;
import org.galerna.link.verbs.adapter.VerbsOptions;
import org.galerna.link.verbs.connection.Connection;
import org.galerna.link.verbs.connection.Connections;
import org.galerna.link.wireup.Wireups;
import org.galerna.testkit.Fault;
import org.galerna.testkit.LinkRank;
import org.galerna.testkit.Payload;
import org.galerna.testkit.process.RankProcesses;
import org.galerna.testkit.process.TestLauncher;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Ranks that are processes and end without a word in every step of the protocols, where there is an adapter: {@link
 * AdapterTest} runs it.
 */
class VerbsKilledSuite {
    private static final Duration LONG = Duration.ofMinutes(10);

    /** In an emulated machine, where all that a rank does takes tens of times as long. */
    private static final Duration AT_ONCE = Duration.ofMinutes(2);

    private static final String DIES = "dies at ";
    private static final String NOTICED = " noticed at ";
    private static final String WAITED = " waited for since ";
    private static final int EAGER_MESSAGES = 20;
    private static final int LARGE = 24 << 20;
    private static final int KILLED = 137;

    /** Of rank 1, rank 2 and so on. */
    private static final List<Step> STEPS = List.of(Step.values());

    /** Says when, by the clock of the machine, which is that of all ranks. */
    private static void die() {
        System.out.println(DIES + System.currentTimeMillis());
        System.out.flush();
        Runtime.getRuntime().halt(KILLED);
    }

    private static void notice(String whom) {
        System.out.println(whom + NOTICED + System.currentTimeMillis());
    }

    private static List<Long> times(RankProcesses job, int rank, String mark) {
        return job.rank(rank)
                .out()
                .lines()
                .filter(line -> line.contains(mark))
                .map(line -> Long.valueOf(line.substring(line.indexOf(mark) + mark.length())))
                .toList();
    }

    /** The times, in milliseconds, that rank 0 or 1 has taken to notice the ends of others. */
    private static void checkDelays(String what, List<Long> delays) {
        System.out.println(what + ": " + delays + " ms until it was noticed");
        assertThat(delays).allMatch(delay -> delay < AT_ONCE.toMillis());
    }

    private static List<String> options() {
        List<String> options = new ArrayList<>(List.of(
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx200m",
                "-Dtest.patience=30",
                "-Dgalerna.peer.timeout=600"));
        System.getProperties().stringPropertyNames().stream()
                .filter(name -> name.startsWith(VerbsOptions.PREFIX))
                .forEach(name -> options.add("-D" + name + "=" + System.getProperty(name)));
        return options;
    }

    @Test
    @Fault(17)
    @Tag(TestLauncher.SLOW_IN_GUEST)
    void whoIsKilledInAnyStepOfAMessageIsNamedAndTheOthersGoOn() throws InterruptedException {
        int size = STEPS.size() + 2;
        try (RankProcesses job = RankProcesses.start(size, options(), Messages.class)) {
            List<Integer> statuses = job.awaitExits(LONG);
            assertThat(statuses.getFirst())
                    .as("%s%s", job.rank(0).out(), job.rank(0).err())
                    .isZero();
            assertThat(job.rank(0).out()).contains("survived all");
            assertThat(statuses.getLast())
                    .as("%s%s", job.rank(size - 1).out(), job.rank(size - 1).err())
                    .isZero();
            assertThat(statuses.subList(1, size - 1)).containsOnly(KILLED);
            List<Long> waited = times(job, 0, WAITED);
            List<Long> noticed = times(job, 0, NOTICED);
            assertThat(noticed).hasSameSizeAs(STEPS);
            checkDelays(
                    STEPS.toString(),
                    IntStream.range(0, STEPS.size())
                            .mapToObj(step -> noticed.get(step)
                                    - Math.max(
                                            waited.get(step),
                                            times(job, step + 1, DIES).getFirst()))
                            .toList());
        }
    }

    @Test
    @Fault(17)
    void whoIsKilledWhileItConnectsIsLost() throws InterruptedException {
        try (RankProcesses job = RankProcesses.start(3, options(), Connecting.class)) {
            assertThat(job.awaitExits(LONG))
                    .as("%s%s", job.rank(1).out(), job.rank(1).err())
                    .containsExactly(KILLED, 0, KILLED);
            long last =
                    Math.max(times(job, 0, DIES).getFirst(), times(job, 2, DIES).getFirst());
            checkDelays("while connecting", List.of(times(job, 1, NOTICED).getFirst() - last));
        }
    }

    /** What a rank has done when it is killed; rank 0 is the other side of it. */
    private enum Step {
        /** Nothing: not even a connection. */
        NOTHING,
        /** It has sent messages that nobody has received. */
        EAGER,
        /** It has announced a large message, which nobody wants yet. */
        ANNOUNCED,
        /** A large message of its own is being moved. */
        SENDING,
        /** A large message to it is announced, and it has not said that it wants it. */
        NOT_WANTED,
        /** A large message to it is being moved. */
        RECEIVING
    }

    /** Rank 0 talks to one rank for each step, which is killed then, and at last to one that lives. */
    static final class Messages {
        public static void main(String[] arguments) throws InterruptedException {
            try (Wireup wireup = Wireups.ofProcess().orElseThrow();
                    Device device = Devices.open("ibvdev", wireup)) {
                int rank = device.rank();
                int last = device.size() - 1;
                if (rank == 0) {
                    for (int peer = 1; peer < last; peer++) {
                        survive(device, STEPS.get(peer - 1), peer);
                    }
                    byte[] out = Payload.of(3, LARGE);
                    device.send(out, 0, LARGE, last, 1, 0);
                    System.out.println("survived all");
                } else if (rank == last) {
                    byte[] in = new byte[LARGE];
                    device.recv(in, 0, LARGE, 0, 1, 0).release();
                    Payload.difference(in, 3).ifPresent(wrong -> {
                        throw new AssertionError(wrong);
                    });
                } else {
                    die(device, STEPS.get(rank - 1));
                }
            }
        }

        private static void die(Device device, Step step) throws InterruptedException {
            switch (step) {
                case NOTHING -> {}
                case EAGER -> {
                    for (int number = 0; number < EAGER_MESSAGES; number++) {
                        device.send(new byte[100], 0, 100, 0, 2, 0);
                    }
                }
                case ANNOUNCED -> {
                    device.isend(new byte[LARGE], 0, LARGE, 0, 3, 0);
                    device.send(new byte[1], 0, 1, 0, 2, 0);
                }
                case SENDING -> {
                    Request request = device.isend(new byte[LARGE], 0, LARGE, 0, 3, 0);
                    dieSoon();
                    request.await();
                }
                case NOT_WANTED -> device.recv(new byte[1], 0, 1, 0, 2, 0).release();
                case RECEIVING -> {
                    device.send(new byte[1], 0, 1, 0, 2, 0);
                    dieSoon();
                    device.recv(new byte[LARGE], 0, LARGE, 0, 3, 0).release();
                }
            }
            VerbsKilledSuite.die();
        }

        /** In the middle of what this rank does next: some hundred milliseconds, in an emulated machine. */
        private static void dieSoon() {
            Thread.ofPlatform().daemon().start(() -> {
                try {
                    Thread.currentThread().join(300);
                } catch (InterruptedException hurry) {
                    Thread.currentThread().interrupt();
                }
                VerbsKilledSuite.die();
            });
        }

        /** What rank 0 does with a rank that is killed; it fails at some of it, or never at all. */
        private static List<Runnable> calls(Device device, Step step, int peer) {
            Runnable one = () -> device.recv(new byte[1], 0, 1, peer, 2, 0).release();
            Runnable eager =
                    () -> device.recv(new byte[100], 0, 100, peer, 2, 0).release();
            Runnable large =
                    () -> device.recv(new byte[LARGE], 0, LARGE, peer, 3, 0).release();
            return switch (step) {
                case NOTHING -> List.of(one);
                case EAGER -> Collections.nCopies(EAGER_MESSAGES + 1, eager);
                case ANNOUNCED -> List.of(one, large, one); // it may have been fetched from: then the last one fails
                case SENDING -> List.of(large, one);
                case NOT_WANTED -> {
                    Request unwanted = device.isend(new byte[LARGE], 0, LARGE, peer, 3, 0);
                    yield List.of(() -> device.send(new byte[1], 0, 1, peer, 2, 0), unwanted::await);
                }
                case RECEIVING -> List.of(one, () -> device.send(new byte[LARGE], 0, LARGE, peer, 3, 0), one);
            };
        }

        private static void survive(Device device, Step step, int peer) {
            long since = System.currentTimeMillis();
            try {
                for (Runnable call : calls(device, step, peer)) {
                    since = System.currentTimeMillis();
                    call.run();
                }
            } catch (DeviceException named) {
                System.out.println(step + WAITED + since);
                notice(step.name());
                if (!String.valueOf(named.getMessage()).contains("rank " + peer)) {
                    throw new AssertionError(step + ": the one that was killed is not named", named);
                }
                System.out.println(step + ": " + named.getMessage());
                return;
            }
            throw new AssertionError(step + ": a call that needs a rank that was killed has succeeded");
        }
    }

    /** Rank 1 connects to rank 0, the lower one, and to rank 2, which both end in the middle of that. */
    static final class Connecting {
        public static void main(String[] arguments) {
            try (Wireup wireup = Wireups.ofProcess().orElseThrow();
                    LinkRank me = LinkRank.open(new VerbsLinkProvider(), wireup, LinkOptions.DEFAULT)) {
                if (me.rank() != 1) {
                    Connections connections = ((VerbsLink) me.link()).connections();
                    while (connections.find(1) == null || connections.to(1).state() == Connection.State.IDLE) {
                        Thread.onSpinWait();
                    }
                    die();
                }
                me.link().connect(0);
                me.link().connect(2);
                me.pollUntil("the loss of both", () -> me.lost().size() == 2);
                notice("both");
            }
        }
    }
}
