package org.galerna.link.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** What a peer makes of an entry that it has read. */
class RegionDirectoryTest {
    private static final long KEY = 5L << 13 | 3;

    private final MemorySegment entry = Arena.ofAuto().allocate(RegionDirectory.ENTRY_BYTES, 8);

    @Test
    void anEntryCountsOnlyIfBothItsKeysAreTheOne() {
        assertThat(RegionDirectory.find(entry, 0)).isNull();
        entry.set(Frames.LONG, 0, KEY);
        assertThat(RegionDirectory.find(entry, KEY)).isNull();
        entry.set(Frames.LONG, 56, KEY);
        entry.set(Frames.LONG, 8, 0x1000);
        entry.set(Frames.LONG, 16, 100);
        entry.set(Frames.INT, 24, 77);
        assertThat(RegionDirectory.find(entry, KEY)).isEqualTo(new RegionDirectory.Found(0x1000, 100, 77));
        assertThat(RegionDirectory.find(entry, KEY + 1)).isNull();
        assertThat(RegionDirectory.offset(KEY)).isEqualTo(3 * RegionDirectory.ENTRY_BYTES);
    }

    @Test
    void rangesOutsideAreNotContained() {
        RegionDirectory.Found found = new RegionDirectory.Found(0x1000, 100, 77);
        assertThat(found.contains(0, 100)).isTrue();
        assertThat(found.contains(100, 0)).isTrue();
        assertThat(found.contains(1, 100)).isFalse();
        assertThat(found.contains(-1, 1)).isFalse();
        assertThat(found.contains(Long.MAX_VALUE, 1)).isFalse();
        assertThat(found.contains(0, Long.MAX_VALUE)).isFalse();
    }

    @Test
    void keysThatNobodyCanHaveGivenAreKnown() {
        assertThat(Regions.isKey(KEY)).isTrue();
        assertThat(Regions.isKey(Regions.SERVED | 1)).isTrue();
        assertThat(Regions.isKey(0)).isFalse();
        assertThat(Regions.isKey(-1)).isFalse();
        assertThat(Regions.isKey(Long.MIN_VALUE)).isFalse();
        assertThat(Regions.isKey(Regions.SERVED_NATIVE | 1)).isFalse();
    }
}
