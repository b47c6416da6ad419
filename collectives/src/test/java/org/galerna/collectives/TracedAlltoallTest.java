package org.galerna.collectives;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.galerna.collectives.algorithm.Alltoall;
import org.galerna.collectives.algorithm.Operation;
import org.galerna.collectives.buffer.Blocks;
import org.galerna.collectives.selection.Catalogue;
import org.galerna.collectives.team.Trace;
import org.galerna.collectives.team.TracedTeam;
import org.galerna.device.DeviceOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is written down of an alltoall, beside the messages that a job sends, and beside copies counted block by block. */
final class TracedAlltoallTest {
    private static final long LENGTH = 24;

    /** Counts what one rank does. */
    private static final class Counted implements Trace {
        final long[] messages;
        final long[] bytes;
        long copied;
        long copies;

        Counted(int size) {
            messages = new long[size];
            bytes = new long[size];
        }

        @Override
        public void send(int destination, long sent) {
            messages[destination]++;
            bytes[destination] += sent;
        }

        @Override
        public void receive(int source, long received) {}

        @Override
        public void told(int lengths) {}

        @Override
        public void await(int number) {}

        @Override
        public void copy(long each) {
            copied += each;
            copies++;
        }

        @Override
        public void combine(long each) {}
    }

    private static Counted trace(int[] hosts, int rank, String algorithm) {
        return trace(hosts, rank, Operation.ALLTOALL, algorithm);
    }

    private static Counted trace(int[] hosts, int rank, Operation operation, String algorithm) {
        TracedTeam.Job job = new TracedTeam.Job(hosts.length, member -> hosts[member], member -> hosts[member]);
        Counted counted = new Counted(hosts.length);
        Blocks blocks = Blocks.uniform(LENGTH);
        TracedTeam team = new TracedTeam(job, rank, counted, LENGTH);
        team.begin(operation.call(), () -> algorithm, operation.number(), -1, LENGTH);
        ((Alltoall) Catalogue.find(operation, algorithm))
                .alltoall(team, new Object(), 0, blocks, new Object(), 0, blocks);
        team.end();
        return counted;
    }

    @ParameterizedTest
    @CsvSource({
        "00001111, ALLTOALL, bruck",
        "0001122, ALLTOALL, bruck",
        "0001122, ALLTOALL, pairwise",
        "00011, ALLTOALL, linear",
        "00001111, ALLTOALL, twoLevel",
        "01010101, ALLTOALL, twoLevel",
        "00112233, ALLTOALL, twoLevel",
        "0001122, ALLTOALL, twoLevel",
        "0120120, ALLTOALL, twoLevel",
        "00001111, ALLTOALLV, bruck",
        "0001122, ALLTOALLV, bruck",
        "00001111, ALLTOALLV, twoLevel",
        "01010101, ALLTOALLV, twoLevel",
        "0001122, ALLTOALLV, twoLevel",
        "0120120, ALLTOALLV, twoLevel"
    })
    void whatIsWrittenDownIsWhatAJobSends(String digits, Operation operation, String algorithm) {
        int[] hosts = Ranks.hosts(digits);
        CollectiveOptions options = CollectiveOptions.standard().force(operation, algorithm);
        try (Ranks ranks = Ranks.onHosts(hosts, DeviceOptions.DEFAULT, CountingDevice::new)) {
            ranks.run(team -> {
                byte[] send = new byte[(int) LENGTH * hosts.length];
                byte[] receive = new byte[send.length];
                Collectives collectives = new Collectives(team, options);
                if (operation == Operation.ALLTOALL) {
                    collectives.alltoall(send, 0, receive, 0, LENGTH);
                } else {
                    Blocks blocks = Blocks.uniform(LENGTH);
                    collectives.alltoallv(send, 0, blocks, receive, 0, blocks);
                }
            });
            for (int rank = 0; rank < hosts.length; rank++) {
                CountingDevice device = (CountingDevice) ranks.device(rank);
                Counted counted = trace(hosts, rank, operation, algorithm);
                for (int other = 0; other < hosts.length; other++) {
                    assertThat(counted.messages[other]).isEqualTo(device.messagesTo(other));
                }
                assertThat(Arrays.stream(counted.bytes).sum()).isEqualTo(device.bytes());
            }
        }
    }

    /** A block is copied into each message that takes it on, and out of it. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 5, 8, 13, 64, 100, 257})
    void bruckCopiesEachBlockForEachBitOfItsDistance(int size) {
        long blocks = 0;
        for (int distance = 1; distance < size; distance++) {
            blocks += 2 + 2L * Integer.bitCount(distance);
        }
        for (int rank = 0; rank < size; rank += Math.max(1, size / 7)) {
            Counted counted = trace(new int[size], rank, "bruck");
            assertThat(counted.copied).isEqualTo(blocks * LENGTH);
            assertThat(counted.copies).isLessThan(50); // the number of them does not grow with the ranks
        }
    }

    /** The copies of a rank do not grow as the blocks do, if those have one length and could have others. */
    @Test
    void byHostsBlocksThatVaryAreCopiedTogether() {
        int size = 1024;
        int[] hosts = new int[size];
        Arrays.setAll(hosts, rank -> rank / 32);
        assertThat(trace(hosts, 77, Operation.ALLTOALLV, "twoLevel").copies).isLessThan(size / 2);
    }

    /** Every block for another host is packed twice and unpacked twice. */
    @ParameterizedTest
    @CsvSource({"64, 8, false", "60, 8, false", "256, 4, false", "64, 8, true"})
    void byHostsEachBlockIsCopiedFourTimes(int size, int besides, boolean inTurn) {
        int[] hosts = new int[size];
        int number = (size + besides - 1) / besides;
        Arrays.setAll(hosts, rank -> inTurn ? rank % number : rank / besides);
        long all = 0;
        long copies = 0;
        for (int rank = 0; rank < size; rank++) {
            Counted counted = trace(hosts, rank, "twoLevel");
            all += counted.copied;
            copies += counted.copies;
        }
        long blocks = 0; // for other hosts
        for (int from : hosts) {
            blocks += Arrays.stream(hosts).filter(to -> to != from).count();
        }
        assertThat(all).isEqualTo(4 * blocks * LENGTH);
        assertThat(copies).isLessThanOrEqualTo(4 * blocks);
        if (!inTurn) {
            assertThat(copies).isLessThan(2 * blocks);
        }
    }
}
