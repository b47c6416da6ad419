package org.galerna.link.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.galerna.link.Descriptor;
import org.galerna.link.transfer.RemoteRegion;
import org.galerna.testkit.Fault;
import org.junit.jupiter.api.Test;

/** What a peer makes of a descriptor. */
class RemoteRegionTest {
    private final MemorySegment frame = Arena.ofAuto().allocate(64, 8);
    private final Descriptor descriptor = new Descriptor();

    private RemoteRegion read(RemoteRegion written, int length) {
        written.write(frame, 8);
        descriptor.read(frame, 8, length);
        return RemoteRegion.read(descriptor);
    }

    @Test
    void aDescriptorIsReadAsItWasWritten() {
        RemoteRegion region = new RemoteRegion(5L << 32 | 3, 100, 0x7fff_1234_5678L, -7, RemoteRegion.DIRECT);
        assertThat(read(region, RemoteRegion.BYTES)).isEqualTo(region);
    }

    @Test
    @Fault(3)
    void whatNoRankWritesIsNone() {
        RemoteRegion region = new RemoteRegion(1, 100, 0x1000, 7, RemoteRegion.DIRECT);
        for (int length : new int[] {0, 8, RemoteRegion.BYTES - 1, RemoteRegion.BYTES + 1}) {
            assertThat(read(region, length)).isNull();
        }
        for (int kind : new int[] {0, -1, RemoteRegion.SERVED + 1, Integer.MIN_VALUE}) {
            assertThat(read(new RemoteRegion(1, 100, 0x1000, 7, kind), RemoteRegion.BYTES))
                    .isNull();
        }
        assertThat(read(new RemoteRegion(1, -1, 0x1000, 7, RemoteRegion.SERVED), RemoteRegion.BYTES))
                .isNull();
    }

    @Test
    @Fault(3)
    void rangesOutsideAreNotContained() {
        RemoteRegion region = new RemoteRegion(1, 100, 0x1000, 7, RemoteRegion.DIRECT);
        assertThat(region.contains(0, 100)).isTrue();
        assertThat(region.contains(99, 1)).isTrue();
        for (long offset : new long[] {-1, 1, Long.MAX_VALUE, Long.MIN_VALUE}) {
            assertThat(region.contains(offset, 100)).isFalse();
        }
        assertThat(region.contains(0, 101)).isFalse();
    }
}
