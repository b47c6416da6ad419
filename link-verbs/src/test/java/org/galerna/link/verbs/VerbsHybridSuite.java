package org.galerna.link.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.galerna.device.Device;
import org.galerna.device.Devices;
import org.galerna.device.Request;
import org.galerna.link.LinkOptions;
import org.galerna.link.hybrid.HybridLink;
import org.galerna.link.verbs.adapter.VerbsOptions;
import org.galerna.link.wireup.InProcessWireup;
import org.galerna.nativeaccess.verbs.VerbsException;
import org.galerna.nativeaccess.verbs.VerbsLibrary;
import org.galerna.testkit.Payload;
import org.galerna.testkit.RankThreads;
import org.galerna.testkit.wireup.TestJobs;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Adapters among other networks, and a rank that has none, where there is an adapter: {@link AdapterTest} runs it. */
class VerbsHybridSuite {
    private static final String ADAPTER = VerbsOptions.PREFIX + "adapter";
    private static final int RANKS = 3;
    private static final int[] SIZES = {0, 1, 100, 8192, 8193, 100_003, (1 << 20) + 1};

    @BeforeEach
    void letTheLastRankHaveNoAdapter() throws VerbsException {
        String adapter = VerbsLibrary.open().adapters().getFirst();
        System.setProperty(ADAPTER, adapter + "," + adapter + ",none");
    }

    @AfterEach
    void forget() {
        System.clearProperty(ADAPTER);
        System.clearProperty("galerna.hybrid.links");
    }

    private static List<InProcessWireup> newJob() {
        return TestJobs.of(RANKS);
    }

    @Test
    void eachPeerIsReachedByTheFastestLinkThatItHas() {
        List<InProcessWireup> job = newJob();
        RankThreads.run(RANKS, rank -> {
            try (InProcessWireup wireup = job.get(rank);
                    HybridLink link = HybridLink.open(List.of("verbs", "tcp"), wireup, LinkOptions.DEFAULT)) {
                wireup.fence();
                for (int peer = 0; peer < RANKS; peer++) {
                    boolean both = rank < 2 && peer < 2;
                    if (peer != rank) {
                        assertThat(link.via(peer).name()).isEqualTo(both ? "verbs" : "tcp");
                        assertThat(String.join("; ", link.against(peer)))
                                .contains(both ? "" : rank == 2 ? "no adapter none" : "rank 2 has no usable adapter");
                    }
                }
                wireup.fence();
            }
        });
    }

    @Test
    void messagesTravelByEveryLinkOfTheHybridDevice() {
        System.setProperty("galerna.hybrid.links", "verbs,tcp");
        List<InProcessWireup> job = newJob();
        RankThreads.run(RANKS, rank -> {
            try (InProcessWireup wireup = job.get(rank);
                    Device device = Devices.open("hybdev", wireup)) {
                for (int size : SIZES) {
                    Request[] sends = new Request[RANKS];
                    for (int peer = 0; peer < RANKS; peer++) {
                        byte[] out = Payload.of(Payload.seed(rank, size + peer), size);
                        sends[peer] = device.isend(out, 0, size, peer, size, 0);
                    }
                    for (int peer = 0; peer < RANKS; peer++) {
                        byte[] in = new byte[size];
                        device.recv(in, 0, size, peer, size, 0).release();
                        assertThat(Payload.difference(in, Payload.seed(peer, size + rank)))
                                .as("%s bytes from rank %s", size, peer)
                                .isEmpty();
                    }
                    for (Request send : sends) {
                        send.await();
                        send.release();
                    }
                }
            }
        });
    }
}
