package org.galerna.applications.fdtd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.galerna.applications.fdtd.Decomposition.Side;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DecompositionTest {
    @ParameterizedTest
    @CsvSource({
        "1600, 900, 1, 1, 1",
        "1600, 900, 2, 2, 1",
        "900, 1600, 2, 1, 2",
        "1600, 900, 4, 2, 2",
        "1600, 900, 6, 3, 2",
        "900, 1600, 6, 2, 3",
        "1600, 900, 7, 7, 1",
        "4000, 100, 4, 4, 1",
        "3, 100, 4, 1, 4"
    })
    void cutsWhereTheFewestCellsAreOnInnerBorders(int width, int height, int ranks, int columns, int rows) {
        assertThat(Decomposition.of(width, height, ranks)).isEqualTo(new Decomposition(width, height, columns, rows));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 12, 13, 64})
    void givesEveryCellToExactlyOneRank(int ranks) {
        Decomposition decomposition = Decomposition.of(101, 67, ranks);
        int[] owners = new int[101 * 67];
        for (int rank = 0; rank < ranks; rank++) {
            Tile tile = decomposition.tile(rank);
            for (int y = tile.y(); y < tile.endY(); y++) {
                for (int x = tile.x(); x < tile.endX(); x++) {
                    owners[y * 101 + x]++;
                }
            }
        }
        assertThat(owners).containsOnly(1);
    }

    @Test
    void neighboursSeeEachOtherAcrossTheSameSide() {
        Decomposition decomposition = new Decomposition(30, 20, 3, 4);
        int walls = 0;
        for (int rank = 0; rank < decomposition.ranks(); rank++) {
            for (Side side : Side.values()) {
                int neighbour = decomposition.neighbour(rank, side);
                if (neighbour == Decomposition.NO_RANK) {
                    walls++;
                } else {
                    assertThat(decomposition.neighbour(neighbour, side.opposite()))
                            .isEqualTo(rank);
                }
            }
        }
        assertThat(walls).isEqualTo(2 * (3 + 4));
        assertThat(decomposition.neighbour(4, Side.EAST)).isEqualTo(5);
        assertThat(decomposition.neighbour(4, Side.SOUTH)).isEqualTo(7);
    }

    @Test
    void refusesMoreRanksThanTheGridHasRoomFor() {
        assertThatThrownBy(() -> Decomposition.of(5, 5, 7))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("5 by 5")
                .hasMessageContaining("7 tiles");
    }
}
