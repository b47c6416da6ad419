package org.galerna.link.shm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.BitSet;
import org.galerna.link.shm.attachment.Attachment;
import org.galerna.link.shm.file.QueueFile;
import org.galerna.link.shm.file.RingSize;
import org.galerna.link.wireup.InProcessWireup;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which claims of a queue are those of dead senders. */
class AbandonedClaimsTest {
    private static final int RANKS = 4;
    private static final int DEAD = 1;
    private static final int LIVING = 2;

    private final BitSet silent = new BitSet();
    private SharedFolder folder;
    private Attachment owner;
    private QueueFile queue;
    private AbandonedClaims claims;

    @BeforeEach
    void open() throws IOException {
        folder = new SharedFolder();
        InProcessWireup wireup = SharedFolder.newJob(RANKS).getFirst();
        owner = Attachment.of(wireup, new QueueFile.Size(new RingSize(64, 16 * 1024), 1));
        queue = owner.queue().orElseThrow();
        claims = new AbandonedClaims(queue, RANKS, silent::get);
    }

    @AfterEach
    void close() throws IOException {
        owner.close();
        folder.close();
    }

    /** Begins or ends a claim. */
    private void change(int rank) {
        queue.setClaims(rank, queue.claimsOf(rank) + 1);
    }

    @Test
    void aClaimOfARankThatLivesIsWaitedFor() {
        change(LIVING);
        assertThat(claims.test(5)).isFalse();
        assertThat(claims.test(5)).isFalse();
        silent.set(LIVING);
        assertThat(claims.test(5)).isTrue();
    }

    @Test
    void oneThatLivesIsWaitedForUntilItsClaimHasEnded() {
        silent.set(DEAD);
        change(DEAD);
        change(LIVING);
        assertThat(claims.test(7)).isFalse();
        change(LIVING);
        assertThat(claims.test(7)).isTrue();
        // a claim that it begins later is not the one that is examined
        change(LIVING);
        assertThat(claims.test(7)).isTrue();
        // but may be the next one
        assertThat(claims.test(8)).isFalse();
    }

    @Test
    void theSamePositionInALaterRoundIsExaminedAnew() {
        silent.set(DEAD);
        change(DEAD);
        assertThat(claims.test(7)).isTrue();
        claims.forget();
        change(LIVING);
        assertThat(claims.test(7)).isFalse();
    }

    @Test
    void aDeadRankWithoutAClaimIsNotBlamed() {
        silent.set(DEAD);
        change(DEAD);
        change(DEAD);
        assertThat(claims.test(3)).isFalse();
    }
}
