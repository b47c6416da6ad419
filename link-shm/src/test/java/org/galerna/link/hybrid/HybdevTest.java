package org.galerna.link.hybrid;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.galerna.device.Device;
import org.galerna.device.DeviceOptions;
import org.galerna.device.Devices;
import org.galerna.device.Request;
import org.galerna.link.LinkOptions;
import org.galerna.link.Wireup;
import org.galerna.testkit.RankThreads;
import org.galerna.testkit.device.DeviceContract;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The device of several links, on ranks of which each reaches some by one link and some by another. */
class HybdevTest {
    private static final List<String> LINKS = List.of("threads", "shm", "tcp");

    /** Two ranks to a process, the first three of them on one host. */
    private static List<Wireup> threeLinks(int size) {
        return SpreadJob.create(size, (one, other) -> one / 2 == other / 2, (one, other) -> one < 3 && other < 3);
    }

    /** A rank to a process, even ones on one host, odd ones on another. */
    private static List<Wireup> twoHosts(int size) {
        return SpreadJob.create(size, (one, other) -> one.equals(other), (one, other) -> (one - other) % 2 == 0);
    }

    /** Threads, shared memory and TCP in one job. */
    @Nested
    @Tag("slow") // the contracts of the devices on each of these links are not
    class OfThreeLinks extends DeviceContract {
        @Override
        public Device open(Wireup wireup, DeviceOptions options) {
            return Devices.open("hybdev", wireup, options);
        }

        @Override
        public List<Wireup> newJob(int size) {
            return threeLinks(size);
        }
    }

    /** Shared memory and TCP in one job. */
    @Nested
    @Tag("slow")
    class OfTwoHosts extends DeviceContract {
        @Override
        public Device open(Wireup wireup, DeviceOptions options) {
            return Devices.open("hybdev", wireup, options);
        }

        @Override
        public List<Wireup> newJob(int size) {
            return twoHosts(size);
        }
    }

    @Test
    void takesTheFastestLinkToEachPeer() {
        assertThat(linksOf(0, threeLinks(4)))
                .containsExactlyInAnyOrderEntriesOf(links("threads", "threads", "shm", "tcp"));
        assertThat(linksOf(3, threeLinks(4)))
                .containsExactlyInAnyOrderEntriesOf(links("tcp", "tcp", "threads", "threads"));
        assertThat(linksOf(1, twoHosts(4))).containsExactlyInAnyOrderEntriesOf(links("tcp", "shm", "tcp", "shm"));
    }

    @Test
    void sendsEagerlyToEachPeerWhatIsBestForItsLink() {
        List<Wireup> job = threeLinks(4);
        RankThreads.run(4, rank -> {
            try (Wireup wireup = job.get(rank);
                    Device device = Devices.open("hybdev", wireup)) {
                for (int peer = 0; peer < 4; peer++) {
                    boolean byTcp = rank != peer && rank / 2 != peer / 2 && (rank == 3 || peer == 3);
                    assertThat(device.eagerLimit(peer) > 64 * 1024)
                            .as("rank %s to rank %s: %s bytes", rank, peer, device.eagerLimit(peer))
                            .isEqualTo(byTcp);
                }
                byte[] message = new byte[64 * 1024];
                if (rank == 0) {
                    device.send(message, 0, message.length, 3, 1, 0);
                    Request toNeighbour = device.isend(message, 0, message.length, 2, 1, 0);
                    for (int look = 0; look < 100; look++) {
                        assertThat(toNeighbour.test()).isFalse();
                    }
                    device.send(message, 0, 0, 2, 2, 0);
                    toNeighbour.await();
                    toNeighbour.release();
                } else if (rank == 2) {
                    device.recv(message, 0, 0, 0, 2, 0).release();
                    device.recv(message, 0, message.length, 0, 1, 0).release();
                    device.send(message, 0, 0, 3, 2, 0);
                } else if (rank == 3) {
                    device.recv(message, 0, 0, 2, 2, 0).release(); // so that nothing is received before all is sent
                    device.recv(message, 0, message.length, 0, 1, 0).release();
                }
            }
        });
    }

    @Test
    void saysWhatIsAgainstTheFasterOnes() {
        List<Wireup> job = twoHosts(2);
        RankThreads.run(2, rank -> {
            Wireup wireup = job.get(rank);
            try (HybridLink link = HybridLink.open(LINKS, wireup, LinkOptions.DEFAULT)) {
                wireup.fence();
                assertThat(link.against(1 - rank))
                        .satisfiesExactly(
                                threads -> assertThat(threads)
                                        .startsWith("threads: ")
                                        .contains("not a thread"),
                                shm -> assertThat(shm).startsWith("shm: "));
                wireup.fence();
            }
        });
    }

    private static Map<Integer, String> links(String... names) {
        Map<Integer, String> links = new TreeMap<>();
        for (String name : names) {
            links.put(links.size(), name);
        }
        return links;
    }

    private static Map<Integer, String> linksOf(int asked, List<Wireup> job) {
        Map<Integer, String> chosen = new TreeMap<>();
        RankThreads.run(job.size(), rank -> {
            Wireup wireup = job.get(rank);
            try (HybridLink link = HybridLink.open(LINKS, wireup, LinkOptions.DEFAULT)) {
                wireup.fence();
                for (int peer = 0; rank == asked && peer < job.size(); peer++) {
                    chosen.put(peer, link.via(peer).name());
                }
                wireup.fence();
            }
        });
        return chosen;
    }
}
