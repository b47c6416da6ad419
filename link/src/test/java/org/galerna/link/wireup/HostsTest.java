package org.galerna.link.wireup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.galerna.link.CommunicationException;
import org.galerna.link.Wireup;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostsTest {
    private static List<InProcessWireup> job(int size) {
        return InProcessWireup.create(size, (rank, status, reason) -> {
            throw new AssertionError(reason);
        });
    }

    @Test
    void ranksOfOneMachineAreOnOneHost() {
        List<InProcessWireup> job = job(3);
        for (int rank = 0; rank < 3; rank++) {
            Hosts.publish(job.get(rank), rank != 1);
        }
        Hosts hosts = Hosts.of(job.get(1));
        assertThat(Hosts.of(job.get(2))).as("one for the process").isSameAs(hosts);
        assertThat(hosts.number()).isEqualTo(1);
        assertThat(hosts.hostOf(2)).isZero();
        assertThat(hosts.ranksBeside(0)).isEqualTo(3);
        assertThat(List.of(hosts.heapOf(0), hosts.heapOf(1), hosts.heapOf(2)))
                .as("rank 1 reaches nobody through the heap")
                .containsExactly(0, 1, 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1 net a\n0-3\n\n", "1 net a\n2\n\n1", "1 net a\n0-3\nheap\n"})
    void whatAllRanksHavePublishedIsNotReadOfEach(String place) {
        List<InProcessWireup> job = job(4);
        job.forEach(each -> put(each, place));
        Hosts each = Hosts.of(job.get(1));
        Hosts common = Hosts.of(new Wireup() {
            @Override
            public String job() {
                return "common";
            }

            @Override
            public int rank() {
                return 1;
            }

            @Override
            public int size() {
                return job.size();
            }

            @Override
            public void put(String key, byte[] value) {
                throw new AssertionError(key);
            }

            @Override
            public void fence() {
                throw new AssertionError("nobody waits");
            }

            @Override
            public byte[] get(int rank, String key) {
                throw new AssertionError("rank " + rank + " is asked for " + key);
            }

            @Override
            public Optional<byte[]> common(String key) {
                return Optional.of(place.getBytes(StandardCharsets.UTF_8));
            }

            @Override
            public void abort(int status, String reason) {
                throw new AssertionError(reason);
            }

            @Override
            public void close() {
                // holds nothing
            }
        });
        assertThat(common).as("the same, one for the process").isSameAs(each);
        assertThat(common.ranksBeside(3)).isEqualTo(4);
    }

    @Test
    void hostsAreNumberedByTheirLowestRanks() {
        List<InProcessWireup> job = job(5);
        // one machine without and with a container that has a name, and a clone of it
        String[] machines = {"1 net b", "1 net a", "1 other b", "2 net a", "1 net a"};
        for (int rank = 0; rank < machines.length; rank++) {
            put(job.get(rank), machines[rank] + "\n" + rank / 2 + "," + (6 + rank));
        }
        Hosts hosts = Hosts.of(job.get(4));
        assertThat(hosts.number()).isEqualTo(3);
        assertThat(List.of(hosts.hostOf(0), hosts.hostOf(1), hosts.hostOf(2), hosts.hostOf(3), hosts.hostOf(4)))
                .containsExactly(0, 1, 0, 2, 1);
        assertThat(hosts.ranksBeside(2)).isEqualTo(2);
        assertThat(hosts.ranksBeside(3)).isEqualTo(1);
        assertThat(hosts.processorsBeside(0)).as("0, 1, 6 and 8").isEqualTo(4);
        assertThat(hosts.processorsBeside(3)).isEqualTo(2);
    }

    @Test
    void packagesCountWhereEveryRankOfAHostIsBoundToOne() {
        List<InProcessWireup> job = job(6);
        // of the second host one rank may run on both
        String[] places = {
            "1 net a\n0\n\n7",
            "1 net a\n1\nheap\n3",
            "1 net b\n0\n\n7",
            "1 net b\n0-1\n\n",
            "1 net a\n2\nheap\n7",
            "1 net b\n1\n\n3"
        };
        for (int rank = 0; rank < places.length; rank++) {
            put(job.get(rank), places[rank]);
        }
        Hosts hosts = Hosts.of(job.get(2));
        assertThat(IntStream.range(0, places.length).map(hosts::packageOf)).containsExactly(0, 1, 2, 2, 0, 2);
        assertThat(IntStream.range(0, places.length).map(hosts::heapOf)).containsExactly(0, 1, 2, 3, 1, 4);
    }

    @Test
    void aRankThatMayRunAnywhereSaysNoPackageUnlessThereIsOne() {
        List<InProcessWireup> job = job(2);
        Hosts.publish(job.get(0), false);
        Hosts.publish(job.get(1), true);
        Hosts hosts = Hosts.of(job.get(0));
        assertThat(hosts.packageOf(1)).isEqualTo(hosts.packageOf(0));
    }

    private static void put(InProcessWireup wireup, String place) {
        wireup.put("galerna.host", place.getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @ValueSource(strings = {"somewhere", "somewhere\n0-3", "1 net somewhere", "1 net somewhere\nall"})
    void whatIsNoHostIsRefusedByName(String place) {
        List<InProcessWireup> job = job(1);
        put(job.getFirst(), place);
        assertThatExceptionOfType(CommunicationException.class)
                .isThrownBy(() -> Hosts.of(job.getFirst()))
                .withMessageContaining("rank 0")
                .withMessageContaining("in another way than this version");
    }
}
