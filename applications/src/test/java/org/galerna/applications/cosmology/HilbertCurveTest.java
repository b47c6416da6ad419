package org.galerna.applications.cosmology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HilbertCurveTest {
    private static final int LEVELS = 4;
    private static final int ACROSS = 1 << LEVELS;

    private record Cell(int x, int y, int z) {
        int distance(Cell other) {
            return Math.abs(x - other.x) + Math.abs(y - other.y) + Math.abs(z - other.z);
        }
    }

    private static Map<Long, Cell> cells() {
        Map<Long, Cell> cells = new HashMap<>();
        for (int z = 0; z < ACROSS; z++) {
            for (int y = 0; y < ACROSS; y++) {
                for (int x = 0; x < ACROSS; x++) {
                    cells.put(HilbertCurve.key(x, y, z, LEVELS), new Cell(x, y, z));
                }
            }
        }
        return cells;
    }

    @Test
    void theCurveVisitsEachCellOnceAndGoesToANeighbourInEachStep() {
        Map<Long, Cell> cells = cells();
        assertThat(cells).hasSize(ACROSS * ACROSS * ACROSS);
        for (long key = 1; key < cells.size(); key++) {
            assertThat(cells.get(key).distance(cells.get(key - 1)))
                    .as("step %d", key)
                    .isEqualTo(1);
        }
    }

    /** Trees and blocks rely on it. */
    @Test
    void anOctantIsOnePiece() {
        cells().forEach((key, cell) -> assertThat(HilbertCurve.key(cell.x / 2, cell.y / 2, cell.z / 2, LEVELS - 1))
                .isEqualTo(key >> 3));
        assertThat(HilbertCurve.key(0.3, 0.7, 0.9) >>> (3 * (HilbertCurve.LEVELS - LEVELS)))
                .isEqualTo(HilbertCurve.key((int) (0.3 * ACROSS), (int) (0.7 * ACROSS), (int) (0.9 * ACROSS), LEVELS));
    }
}
