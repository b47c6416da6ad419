package org.galerna.applications.fdtd;

import java.util.ArrayList;
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

    void step(double pulse) {
        exchange();
        for (Subdomain subdomain : subdomains) {
            subdomain.step(pulse);
        }
    }

    double stepMeasuringEnergy(double pulse) {
        exchange();
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

    private void exchange() {
        for (int rank = 0; rank < subdomains.size(); rank++) {
            for (Side side : Side.values()) {
                int neighbour = decomposition.neighbour(rank, side);
                if (neighbour != Decomposition.NO_RANK) {
                    move(subdomains.get(neighbour), subdomains.get(rank), side);
                }
            }
        }
    }

    private static void move(Subdomain from, Subdomain to, Side side) {
        if (side.isColumn()) {
            double[] column = new double[to.tile().height()];
            from.packColumn(side.opposite(), column);
            to.unpackColumn(side, column);
        } else {
            System.arraycopy(
                    from.borderRow(side.opposite()),
                    Subdomain.FIRST_CELL,
                    to.ghostRow(side),
                    Subdomain.FIRST_CELL,
                    to.tile().width());
        }
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
}
