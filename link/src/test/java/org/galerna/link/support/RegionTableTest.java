package org.galerna.link.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RegionTableTest {
    private final RegionTable table = new RegionTable();

    @Test
    void findsWhatIsRegistered() {
        List<KeyedRegion> regions = new ArrayList<>();
        List<MemorySegment> memories = new ArrayList<>();
        for (int each = 0; each < 100; each++) {
            memories.add(MemorySegment.ofArray(new byte[each]));
            regions.add(table.add(memories.getLast()));
        }
        for (int each = 0; each < 100; each++) {
            assertThat(table.find(regions.get(each).key())).isSameAs(memories.get(each));
        }
    }

    @Test
    void theKeyOfAClosedRegionFindsNothingEvenWhenItsPlaceIsUsedAgain() {
        Set<Long> keys = new HashSet<>();
        MemorySegment memory = MemorySegment.ofArray(new byte[8]);
        for (int round = 0; round < 1000; round++) {
            KeyedRegion region = table.add(memory);
            assertThat(keys.add(region.key())).isTrue();
            region.close();
            region.close();
            assertThat(table.find(region.key())).isNull();
        }
        KeyedRegion last = table.add(memory);
        assertThat(keys).allSatisfy(key -> assertThat(table.find(key)).isNull());
        assertThat(table.find(last.key())).isSameAs(memory);
    }

    @Test
    void aTokenIsTakenOnceByThePeerThatItIsForWhileTheRegionIsOpen() {
        MemorySegment memory = MemorySegment.ofArray(new byte[8]);
        KeyedRegion region = table.add(memory);
        assertThat(table.takeToken(region.key(), 3)).as("before it is set").isEqualTo(RegionTable.NO_TOKEN);
        table.setToken(region.key(), 3, 7);
        assertThat(table.takeToken(region.key(), 2)).as("by another peer").isEqualTo(RegionTable.NO_TOKEN);
        assertThat(table.takeToken(region.key() + 1, 3))
                .as("by a key of no region")
                .isEqualTo(RegionTable.NO_TOKEN);
        assertThat(table.takeToken(region.key(), 3)).isEqualTo(7);
        assertThat(table.takeToken(region.key(), 3)).as("again").isEqualTo(RegionTable.NO_TOKEN);
        table.setToken(region.key(), 3, 8);
        long former = region.key();
        region.close();
        assertThat(table.takeToken(former, 3)).as("of a closed region").isEqualTo(RegionTable.NO_TOKEN);
        KeyedRegion next = table.add(memory);
        assertThat(table.takeToken(next.key(), 3)).as("of its successor").isEqualTo(RegionTable.NO_TOKEN);
    }

    @Test
    void closingARegionAgainLeavesItsSuccessorAlone() {
        KeyedRegion first = table.add(MemorySegment.ofArray(new byte[8]));
        first.close();
        MemorySegment memory = MemorySegment.ofArray(new byte[9]);
        KeyedRegion second = table.add(memory);
        first.close();
        assertThat(table.find(second.key())).isSameAs(memory);
    }

    @Test
    void aClosedRegionServesOtherMemoryUnderAnotherKey() {
        KeyedRegion region = table.add(MemorySegment.ofArray(new byte[8]));
        long before = region.key();
        assertThatIllegalStateException()
                .isThrownBy(() -> table.add(MemorySegment.ofArray(new byte[9]), region))
                .withMessageContaining("not closed");
        region.close();
        MemorySegment memory = MemorySegment.ofArray(new byte[9]);
        assertThat(table.add(memory, region)).isSameAs(region);
        assertThat(table.find(before)).isNull();
        assertThat(table.find(region.key())).isSameAs(memory);
        assertThat(new RegionTable().add(memory, region))
                .as("from another table")
                .isNotSameAs(region);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, -1, 1L << 32, (1L << 32) + 7, Long.MAX_VALUE, Long.MIN_VALUE, 0xffffffffL})
    void keysThatNobodyGaveOutFindNothing(long key) {
        table.add(MemorySegment.ofArray(new byte[8])).close();
        assertThat(table.find(key)).isNull();
    }

    @Test
    void randomKeysFindNothing() {
        Random random = new Random(11);
        for (int each = 0; each < 50; each++) {
            table.add(MemorySegment.ofArray(new byte[8]));
        }
        for (int each = 0; each < 10_000; each++) {
            assertThat(table.find(random.nextLong() | 1L << 62)).isNull();
        }
    }

    /** The time of a table that copies itself for each entry would be minutes here. */
    @Test
    void growsInTimeProportionalToItsSize() {
        long start = System.nanoTime();
        MemorySegment memory = MemorySegment.ofArray(new byte[8]);
        KeyedRegion region = table.add(memory);
        for (int each = 0; each < 1_000_000; each++) {
            region = table.add(memory);
        }
        assertThat(table.find(region.key())).isSameAs(memory);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));
    }
}
