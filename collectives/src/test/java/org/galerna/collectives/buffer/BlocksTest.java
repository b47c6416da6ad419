package org.galerna.collectives.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

final class BlocksTest {
    /** The total of packed blocks is known without a look at each. */
    @Test
    void blocksThatArePackedHaveTheirTotals() {
        int[] counts = {3, 0, 4, 1};
        Blocks packed = Blocks.packed(counts, 8);
        Blocks same = Blocks.of(counts, new int[] {0, 3, 3, 7}, 8);
        assertThat(packed.arePacked()).isTrue();
        assertThat(same.arePacked()).isFalse();
        for (int ranks = 0; ranks <= counts.length; ranks++) {
            assertThat(packed.total(ranks)).isEqualTo(same.total(ranks));
        }
        assertThat(Blocks.uniform(8).arePacked()).isTrue();
    }

    @Test
    void uniformBlocksLieSideBySide() {
        Blocks blocks = Blocks.uniform(3_000_000_000L);
        assertThat(blocks.offset(2)).isEqualTo(6_000_000_000L);
        assertThat(blocks.length(7)).isEqualTo(3_000_000_000L);
        assertThat(blocks.total(3)).isEqualTo(9_000_000_000L);
        assertThat(blocks.total(new int[] {5, 1})).isEqualTo(6_000_000_000L);
        assertThat(blocks.isUniform()).isTrue();
        assertThat(blocks.isUniform(3_000_000_000L)).isTrue();
        assertThat(blocks.isUniform(1)).isFalse();
        assertThat(blocks.fits(5)).isTrue();
    }

    @Test
    void countsAndDisplacementsAreInUnits() {
        Blocks blocks = Blocks.of(new int[] {2, 0, 300_000_000}, new int[] {5, 0, 7}, 8);
        assertThat(blocks.offset(0)).isEqualTo(40);
        assertThat(blocks.length(0)).isEqualTo(16);
        assertThat(blocks.length(1)).isZero();
        assertThat(blocks.length(2)).isEqualTo(2_400_000_000L);
        assertThat(blocks.total(3)).isEqualTo(2_400_000_016L);
        assertThat(blocks.total(new int[] {1, 2})).isEqualTo(2_400_000_000L);
        assertThat(blocks.isUniform()).isFalse();
        assertThat(blocks.fits(3)).isTrue();
        assertThat(blocks.fits(4)).isFalse();
    }

    @Test
    void lengthsMayBeGivenInBytes() {
        Blocks blocks = Blocks.of(new long[] {4, 5_000_000_000L}, new long[] {6_000_000_000L, 0});
        assertThat(blocks.offset(0)).isEqualTo(6_000_000_000L);
        assertThat(blocks.length(1)).isEqualTo(5_000_000_000L);
        assertThat(blocks.fits(2)).isTrue();
        assertThat(blocks.fits(1)).isFalse();
    }

    @Test
    void packedBlocksFollowOneAnother() {
        Blocks blocks = Blocks.packed(new int[] {3, 0, 1}, 4);
        assertThat(blocks.offset(0)).isZero();
        assertThat(blocks.offset(1)).isEqualTo(12);
        assertThat(blocks.offset(2)).isEqualTo(12);
        assertThat(blocks.total(3)).isEqualTo(16);
    }

    @Test
    void negativeAndMissingCountsAreRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Blocks.of(new int[] {1, -2}, new int[2], 1))
                .withMessage("a count of -2 for rank 1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Blocks.of(new long[2], new long[3]))
                .withMessage("2 counts but 3 displacements");
        assertThatIllegalArgumentException().isThrownBy(() -> Blocks.uniform(-1));
        assertThatIllegalArgumentException().isThrownBy(() -> Blocks.packed(new int[] {-1}, 8));
    }
}
