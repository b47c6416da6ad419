package org.galerna.applications.fdtd;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.galerna.applications.fdtd.Decomposition.Side;

/** All tiles of a decomposition in one thread; halos are moved by hand. */
final class SplitGrid {
    private final Decomposition decomposition;
    private final List<Subdomain> subdomains = new ArrayList<>();

    SplitGrid(Decomposition decomposition, Obstacles obstacles, double courant, Source source) {
        this.decomposition = decomposition;
        for (int rank = 0; rank < decomposition.ranks(); rank++) {
            subdomains.add(new Subdomain(decomposition.tile(rank), obstacles, courant, source));
        }
    }

    /** The ghost cells of neighbours are no numbers until the inside has been advanced, in two pieces. */
    void step(double pulse) {
        List<Border> borders = borders();
        for (Border border : borders) {
            border.poison();
        }
        for (Subdomain subdomain : subdomains) {
            int height = subdomain.tile().height();
            subdomain.stepInside(0, height / 2);
            subdomain.stepInside(height / 2, height);
        }
        for (Border border : borders) {
            border.fill();
        }
        for (Subdomain subdomain : subdomains) {
            subdomain.stepBorder(pulse);
        }
    }

    double stepMeasuringEnergy(double pulse) {
        for (Border border : borders()) {
            border.fill();
        }
        long[] total = new long[ExactSum.LIMBS];
        for (Subdomain subdomain : subdomains) {
            ExactSum part = new ExactSum();
            subdomain.stepMeasuringEnergy(pulse, part);
            long[] limbs = new long[ExactSum.LIMBS];
            part.copyTo(limbs, 0);
            for (int limb = 0; limb < limbs.length; limb++) {
                total[limb] += limbs[limb];
            }
        }
        ExactSum sum = new ExactSum();
        sum.setTo(total, 0);
        return sum.value();
    }

    /** The cells along all inner borders, as they are now. */
    private List<Border> borders() {
        List<Border> borders = new ArrayList<>();
        for (int rank = 0; rank < subdomains.size(); rank++) {
            for (Side side : Side.values()) {
                int neighbour = decomposition.neighbour(rank, side);
                if (neighbour != Decomposition.NO_RANK) {
                    borders.add(new Border(subdomains.get(neighbour), subdomains.get(rank), side));
                }
            }
        }
        return borders;
    }

    /** The component over the whole grid, row by row. */
    double[] field(Component component) {
        double[] field = new double[decomposition.gridWidth() * decomposition.gridHeight()];
        for (Subdomain subdomain : subdomains) {
            Tile tile = subdomain.tile();
            double[] part = new double[(int) tile.cells()];
            subdomain.copy(component, part);
            for (int row = 0; row < tile.height(); row++) {
                System.arraycopy(
                        part,
                        row * tile.width(),
                        field,
                        (tile.y() + row) * decomposition.gridWidth() + tile.x(),
                        tile.width());
            }
        }
        return field;
    }

    private static final class Border {
        private final Subdomain to;
        private final Side side;
        private final double[] cells;

        Border(Subdomain from, Subdomain to, Side side) {
            this.to = to;
            this.side = side;
            this.cells =
                    new double[side.isColumn() ? to.tile().height() : to.tile().width()];
            from.pack(side.opposite(), cells);
        }

        void poison() {
            double[] noNumbers = new double[cells.length];
            Arrays.fill(noNumbers, Double.NaN);
            fill(noNumbers);
        }

        void fill() {
            fill(cells);
        }

        private void fill(double[] values) {
            if (side.isColumn()) {
                to.unpackColumn(side, values);
            } else {
                System.arraycopy(values, 0, to.ghostRow(side), Subdomain.FIRST_CELL, values.length);
            }
        }
    }
}
