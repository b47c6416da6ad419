package org.galerna.link.shm;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.galerna.link.Descriptor;
import org.galerna.link.LinkOptions;
import org.galerna.link.LinkProvider;
import org.galerna.link.Region;
import org.galerna.link.support.PrivateRings;
import org.galerna.link.wireup.InProcessWireup;
import org.galerna.testkit.Payload;
import org.galerna.testkit.RankThreads;
import org.galerna.testkit.link.LinkRank;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Files for long transfers, where a rank may have fewer of them than it has peers. */
class TransferFilesTest {
    private static final int RANKS = 5;
    private static final int MOST = 2;
    private static final int ROUNDS = 200;
    private static final int WORDS = 40_000;
    private static final int BYTES = Long.BYTES * WORDS;

    private SharedFolder folder;

    @BeforeEach
    void allowFew() throws Exception {
        folder = new SharedFolder();
        System.setProperty(PrivateRings.PROPERTY, String.valueOf(MOST));
    }

    @AfterEach
    void asUsual() throws Exception {
        System.clearProperty(PrivateRings.PROPERTY);
        folder.close();
    }

    @Test
    void thoseOfPairsThatFellSilentAreGivenBack() {
        long seed = System.nanoTime();
        System.out.println("TransferFilesTest seed " + seed);
        List<InProcessWireup> job = SharedFolder.newJob(RANKS);
        RankThreads.run(RANKS, me -> {
            try (LinkRank rank = LinkRank.open(LinkProvider.named("shm"), job.get(me), LinkOptions.DEFAULT)) {
                MemorySegment own = MemorySegment.ofArray(new byte[BYTES]);
                Payload.fill(own, 0, BYTES, me);
                try (Region region = rank.link().rma().register(own)) {
                    Descriptor[] regions = new Descriptor[RANKS];
                    for (int peer = 0; peer < RANKS; peer++) {
                        rank.sendRegion(peer, region);
                    }
                    for (int peer = 0; peer < RANKS; peer++) {
                        regions[peer] = rank.receiveRegion(peer);
                    }
                    Random random = new Random(seed + me);
                    for (int round = 0; round < ROUNDS; round++) {
                        read(rank, random.nextInt(RANKS), regions, Long.BYTES * random.nextInt(1, WORDS + 1));
                        assertThat(((ShmRma) rank.link().rma()).files()).isLessThanOrEqualTo(MOST);
                    }
                    rank.barrier();
                }
            }
        });
    }

    private static void read(LinkRank rank, int peer, Descriptor[] regions, int bytes) {
        MemorySegment local = MemorySegment.ofArray(new byte[bytes]);
        AtomicReference<String> end = new AtomicReference<>();
        rank.link().rma().get(peer, regions[peer], 0, local, failure -> end.set(String.valueOf(failure)));
        rank.pollUntil("the bytes of rank " + peer, () -> end.get() != null);
        assertThat(end).hasValue("null");
        assertThat(Payload.difference(local, 0, bytes, peer)).isEmpty();
    }
}
