package org.galerna.testkit.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.galerna.device.Device;
import org.galerna.device.DeviceOptions;
import org.galerna.device.Request;
import org.galerna.link.Wireup;
import org.galerna.link.counters.JobReport;
import org.galerna.link.counters.RankReport;
import org.galerna.testkit.RankThreads;
import org.galerna.testkit.Seeds;
import org.junit.jupiter.api.Test;

/** What every device keeps about what it counts. */
public interface DeviceCounting extends DeviceSubject {
    /** Of a rank, to another one or itself, in one round. */
    record Planned(int source, int destination, int tag, int context, int length, boolean synchronous) {}

    /** Messages of a pair of ranks and a kind, and their bytes. */
    record Sum(long messages, long bytes) {
        Sum plus(long length) {
            return new Sum(messages + 1, bytes + length);
        }
    }

    /** Everybody knows the plan; the order within a round is that of the list. */
    private static List<List<Planned>> plan(Random random, int ranks, int rounds, int eagerLimit) {
        List<List<Planned>> plan = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            List<Planned> messages = new ArrayList<>();
            int count = random.nextInt(40);
            for (int each = 0; each < count; each++) {
                int length = random.nextInt(4) == 0 ? random.nextInt(4 * eagerLimit) : random.nextInt(64);
                messages.add(new Planned(
                        random.nextInt(ranks),
                        random.nextInt(ranks),
                        each,
                        random.nextInt(8),
                        length,
                        random.nextInt(6) == 0));
            }
            plan.add(messages);
        }
        return plan;
    }

    /** The sums of the counters are those of what was sent, for each pair of ranks and each kind. */
    @Test
    default void countersAreTheSumsOfWhatWasSent() throws IOException {
        long seed = Seeds.next("countersAreTheSumsOfWhatWasSent");
        int ranks = 3;
        DeviceOptions options = new DeviceOptions(1024, 16 * 1024);
        List<List<Planned>> plan = plan(new Random(seed), ranks, 30, options.eagerLimit());
        List<? extends Wireup> job = newJob(ranks);
        CyclicBarrier all = new CyclicBarrier(ranks);
        RankThreads.run(ranks, rank -> {
            try (Wireup wireup = job.get(rank);
                    Device device = open(wireup, options)) {
                Random order = new Random(seed + rank);
                for (List<Planned> round : plan) {
                    exchange(device, round, order.nextBoolean());
                }
                all.await(RankThreads.LIMIT.toSeconds(), TimeUnit.SECONDS);
                if (rank == 0) {
                    check(plan, Objects.requireNonNull(JobReport.of(wireup.job())), ranks);
                }
                all.await(RankThreads.LIMIT.toSeconds(), TimeUnit.SECONDS);
            }
        });
        assertThat(JobReport.of(job.getFirst().job()))
                .as("what is left when all ranks have ended")
                .isNull();
    }

    private static void exchange(Device device, List<Planned> round, boolean receivesFirst) {
        List<Request> requests = new ArrayList<>();
        if (receivesFirst) {
            receive(device, round, requests);
        }
        for (Planned each : round) {
            if (each.source == device.rank()) {
                byte[] bytes = new byte[each.length];
                requests.add(
                        each.synchronous
                                ? device.issend(bytes, 0, each.length, each.destination, each.tag, each.context)
                                : device.isend(bytes, 0, each.length, each.destination, each.tag, each.context));
            }
        }
        if (!receivesFirst) {
            receive(device, round, requests);
        }
        requests.forEach(Messages::finish);
    }

    private static void receive(Device device, List<Planned> round, List<Request> requests) {
        for (Planned each : round) {
            if (each.destination == device.rank()) {
                byte[] bytes = new byte[each.length];
                requests.add(device.irecv(bytes, 0, each.length, each.source, each.tag, each.context));
            }
        }
    }

    private static void check(List<List<Planned>> plan, JobReport job, int ranks) {
        Map<String, Sum> expected = new TreeMap<>();
        for (List<Planned> round : plan) {
            for (Planned each : round) {
                String pair = each.source + " to " + each.destination + " kind " + each.context % 4;
                expected.put(pair, expected.getOrDefault(pair, new Sum(0, 0)).plus(each.length));
            }
        }
        assertThat(job.ranks()).extracting(RankReport::rank).containsExactly(0, 1, 2);
        Map<String, Sum> sent = new TreeMap<>();
        Map<String, Sum> received = new TreeMap<>();
        Map<String, Sum> announced = new TreeMap<>();
        Map<String, Sum> fetched = new TreeMap<>();
        for (RankReport rank : job.ranks()) {
            for (RankReport.Peer peer : rank.peers()) {
                String to = rank.rank() + " to " + peer.peer();
                String from = peer.peer() + " to " + rank.rank();
                for (int kind = 0; kind < 4; kind++) {
                    note(sent, to + " kind " + kind, peer.sent(), kind);
                    note(received, from + " kind " + kind, peer.received(), kind);
                }
                announced.put(to, new Sum(peer.announced(), peer.announcedBytes()));
                fetched.put(from, new Sum(peer.receivedAnnounced(), peer.receivedAnnouncedBytes()));
            }
            assertThat(rank.peers()).hasSizeLessThanOrEqualTo(ranks);
        }
        assertThat(sent).isEqualTo(expected);
        assertThat(received).isEqualTo(expected);
        announced.values().removeIf(sum -> sum.messages() == 0);
        fetched.values().removeIf(sum -> sum.messages() == 0);
        assertThat(fetched).as("received after an announcement").isEqualTo(announced);
        assertThat(announced).as("messages longer than the eager limit").isNotEmpty();
    }

    private static void note(Map<String, Sum> sums, String pair, RankReport.Flow flow, int kind) {
        if (flow.messages().get(kind) > 0) {
            sums.put(pair, new Sum(flow.messages().get(kind), flow.bytes().get(kind)));
        }
    }
}
