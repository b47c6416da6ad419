package org.galerna.testkit.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicInteger;
import org.galerna.link.CommunicationException;
import org.galerna.link.Descriptor;
import org.galerna.link.Region;
import org.galerna.link.TransferCompletion;
import org.galerna.testkit.Payload;
import org.jspecify.annotations.Nullable;

/** Transfers between regions, and what has to be right about them. */
final class Transfers {
    static final long[] SIZES = {
        0, 1, 2, 7, 8, 63, 64, 65, 4096, 32_767, 32_768, 32_769, 65_536, 100_003, 1 << 20, (1 << 20) + 13, (5 << 20) + 1
    };

    private Transfers() {}

    /** A completion that may be called once. */
    static final class Once implements TransferCompletion {
        private final AtomicInteger calls = new AtomicInteger();
        private volatile @Nullable CommunicationException failure;

        @Override
        public void completed(@Nullable CommunicationException reason) {
            failure = reason;
            assertThat(calls.incrementAndGet()).as("calls of one completion").isOne();
        }

        boolean isDone() {
            return calls.get() > 0;
        }

        @Nullable
        CommunicationException failure() {
            return failure;
        }

        int calls() {
            return calls.get();
        }
    }

    static MemorySegment memory(long bytes, boolean heap) {
        return heap
                ? MemorySegment.ofArray(new byte[(int) bytes])
                : Arena.ofAuto().allocate(bytes, 64);
    }

    static Once run(LinkRank rank, boolean inward, int peer, Descriptor region, long offset, MemorySegment local) {
        Once once = new Once();
        if (inward) {
            rank.link().rma().get(peer, region, offset, local, once);
        } else {
            rank.link().rma().put(peer, region, offset, local, once);
        }
        rank.pollUntil("the transfer's completion", once::isDone);
        rank.poll();
        if (!inward && once.failure() == null) {
            Once flushed = new Once();
            rank.link().rma().flush(peer, flushed);
            rank.pollUntil("the flush's completion", flushed::isDone);
            assertThat(flushed.failure()).isNull();
        }
        assertThat(once.calls()).as("calls of the completion").isOne();
        return once;
    }

    static void succeeds(LinkRank rank, boolean inward, int peer, Descriptor region, long offset, MemorySegment local) {
        assertThat(run(rank, inward, peer, region, offset, local).failure()).isNull();
    }

    static void refused(LinkRank rank, boolean inward, int peer, Descriptor region, long offset, MemorySegment local) {
        assertThat(run(rank, inward, peer, region, offset, local).failure())
                .as(
                        "%s of %s bytes at %s of region %s",
                        inward ? "get" : "put",
                        local.byteSize(),
                        offset,
                        HexFormat.of().formatHex(region.toArray()))
                .isNotNull()
                .hasMessageContaining("rank " + peer);
    }

    static void refused(LinkRank rank, boolean inward, Descriptor region, long offset, MemorySegment local) {
        refused(rank, inward, 1, region, offset, local);
    }

    /** Rank 0's part: transfers the middle of rank 1's region. */
    static void one(LinkRank rank, boolean inward, MemorySegment local, long bytes) {
        long seed = bytes * 2 + (inward ? 1 : 0);
        if (!inward) {
            Payload.fill(local, 0, bytes, seed);
        }
        Descriptor region = rank.receiveRegion(1);
        succeeds(rank, inward, 1, region, LinkRegions.MARGIN, local);
        assertThat(Payload.difference(local, 0, bytes, seed)).isEmpty();
        rank.sendLong(1, 0);
    }

    /** Rank 1's part: offers memory with a margin on both sides, and looks what has become of it. */
    static void serveOne(LinkRank rank, boolean inward, MemorySegment memory, long bytes) {
        long seed = bytes * 2 + (inward ? 1 : 0);
        memory.fill((byte) 0x5a);
        if (inward) {
            Payload.fill(memory, LinkRegions.MARGIN, bytes, seed);
        }
        try (Region region = rank.link().rma().register(memory)) {
            rank.sendRegion(0, region);
            rank.receiveLong(0);
        }
        assertThat(Payload.difference(memory, LinkRegions.MARGIN, bytes, seed)).isEmpty();
        for (int index = 0; index < LinkRegions.MARGIN; index++) {
            assertThat(memory.get(ValueLayout.JAVA_BYTE, index)).isEqualTo((byte) 0x5a);
            assertThat(memory.get(ValueLayout.JAVA_BYTE, LinkRegions.MARGIN + bytes + index))
                    .isEqualTo((byte) 0x5a);
        }
    }
}
