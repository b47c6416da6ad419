package org.galerna.link.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.galerna.link.Descriptor;
import org.galerna.link.FrameHandler;
import org.galerna.link.LinkOptions;
import org.galerna.link.Region;
import org.galerna.link.wireup.InProcessWireup;
import org.galerna.testkit.Deadline;
import org.galerna.testkit.RankThreads;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who copies a large transfer: both sides, or out of memory of the link the receiver alone. */
class AllocatedMemoryTest {
    private static final int BYTES = 1 << 20;
    private static final FrameHandler NOTHING = NoFrames.INSTANCE;

    private SharedFolder folder;
    private List<InProcessWireup> job;
    private ShmLink owner;
    private ShmLink receiver;

    @BeforeEach
    void openTwoRanks() throws IOException {
        folder = new SharedFolder();
        job = SharedFolder.newJob(2);
        owner = open(0);
        receiver = open(1);
    }

    private ShmLink open(int rank) {
        return (ShmLink) new ShmLinkProvider().open(job.get(rank), LinkOptions.DEFAULT);
    }

    @AfterEach
    void closeThem() throws IOException {
        owner.close();
        receiver.close();
        folder.close();
    }

    /** Fetches from the owner's memory what is 7 everywhere; the owner polls only if that is said. */
    private void fetch(MemorySegment memory, boolean ownerPolls) {
        memory.fill((byte) 7);
        byte[] local = new byte[BYTES];
        AtomicBoolean done = new AtomicBoolean();
        try (Region region = owner.rma().register(memory)) {
            receiver.rma().get(0, Descriptor.of(region), 0, MemorySegment.ofArray(local), failure -> {
                assertThat(failure).isNull();
                done.set(true);
            });
            Deadline.after(RankThreads.LIMIT).await("the transfer is over", () -> {
                receiver.poll(NOTHING, 1);
                if (ownerPolls) {
                    owner.poll(NOTHING, 1);
                }
                return done.get();
            });
        }
        assertThat(local).containsOnly(7);
    }

    @Test
    void memoryOfTheLinkIsReadByTheReceiverAlone() {
        try (Arena arena = Arena.ofShared()) {
            fetch(owner.rma().allocate(BYTES, arena).orElseThrow(), false);
            assertThat(owner.copiedForPeers()).isZero();
        }
    }

    @Test
    void otherMemoryIsCopiedByItsOwnerFirst() {
        fetch(MemorySegment.ofArray(new byte[BYTES]), true);
        assertThat(owner.copiedForPeers()).isEqualTo(BYTES);
        try (Arena arena = Arena.ofShared()) {
            fetch(arena.allocate(BYTES), true);
        }
        assertThat(owner.copiedForPeers()).isEqualTo(2 * BYTES);
    }

    @Test
    void closingItsArenaGivesTheMemoryBackAtOnce() {
        Path file = folder.job(job.getFirst()).resolve("0.memory-0.1");
        MemorySegment memory;
        try (Arena arena = Arena.ofShared()) {
            memory = owner.rma().allocate(BYTES, arena).orElseThrow();
            assertThat(file).exists();
        }
        assertThat(file).doesNotExist();
        assertThatIllegalStateException().isThrownBy(() -> memory.get(ValueLayout.JAVA_BYTE, 0));
        fetch(owner.rma().allocate(BYTES, Arena.ofAuto()).orElseThrow(), false);
    }

    @Test
    void memoryMayOutliveItsLink() {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = owner.rma().allocate(BYTES, arena).orElseThrow();
            owner.close();
            memory.fill((byte) 1);
            assertThat(memory.get(ValueLayout.JAVA_BYTE, BYTES - 1)).isEqualTo((byte) 1);
        }
    }
}
