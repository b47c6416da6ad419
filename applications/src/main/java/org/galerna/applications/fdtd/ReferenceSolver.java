package org.galerna.applications.fdtd;

/**
 * The same scheme as {@link Subdomain}, sequential and written down straight from the equations: the whole grid, first
 * the magnetic field and then the electric one. Every parallel run must give its result, bit for bit.
 */
public final class ReferenceSolver {
    private final int width;
    private final int height;
    private final double courant;
    private final boolean[][] conductor;
    private final Source source;
    private final double[][] ez;
    private final double[][] hx;
    private final double[][] hy;

    /** A grid without any field. */
    public ReferenceSolver(Obstacles obstacles, double courant, Source source) {
        this.width = obstacles.width();
        this.height = obstacles.height();
        this.courant = courant;
        this.conductor = new boolean[height][width];
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                conductor[y][x] = obstacles.isConductor(x, y);
            }
        }
        this.source = source;
        this.ez = new double[height][width];
        this.hx = new double[height][width];
        this.hy = new double[height][width];
    }

    /** Advances by one time step. */
    public void step(double pulse) {
        advanceMagneticField();
        advanceElectricField();
        drive(pulse);
    }

    /** As {@link #step}, and returns the energy before the step, as {@link Subdomain#stepMeasuringEnergy} sums it. */
    public double stepMeasuringEnergy(double pulse) {
        double[][] oldHx = copyOf(hx);
        double[][] oldHy = copyOf(hy);
        advanceMagneticField();
        ExactSum energy = new ExactSum();
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                energy.add(ez[y][x] * ez[y][x] + (oldHx[y][x] * hx[y][x] + oldHy[y][x] * hy[y][x]));
            }
        }
        advanceElectricField();
        drive(pulse);
        return energy.value();
    }

    private void advanceMagneticField() {
        for (int y = 0; y < height - 1; y++) {
            for (int x = 0; x < width; x++) {
                hx[y][x] -= courant * (ez[y + 1][x] - ez[y][x]);
            }
        }
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width - 1; x++) {
                hy[y][x] += courant * (ez[y][x + 1] - ez[y][x]);
            }
        }
    }

    private void advanceElectricField() {
        for (int y = 1; y < height - 1; y++) {
            for (int x = 1; x < width - 1; x++) {
                if (!conductor[y][x]) {
                    ez[y][x] += courant * ((hy[y][x] - hy[y][x - 1]) - (hx[y][x] - hx[y - 1][x]));
                }
            }
        }
    }

    private void drive(double pulse) {
        Tile region = source.region();
        for (int y = region.y(); y < region.endY(); y++) {
            for (int x = region.x(); x < region.endX(); x++) {
                ez[y][x] = source.kind() == Source.Kind.SOFT ? ez[y][x] + pulse : pulse;
            }
        }
    }

    /** A component of the field at a cell. */
    public double at(Component component, int x, int y) {
        return row(component, y)[x];
    }

    /** Row {@code y} of a component: the array itself. */
    double[] row(Component component, int y) {
        return switch (component) {
            case EZ -> ez[y];
            case HX -> hx[y];
            case HY -> hy[y];
        };
    }

    private static double[][] copyOf(double[][] field) {
        double[][] copy = new double[field.length][];
        for (int y = 0; y < field.length; y++) {
            copy[y] = field[y].clone();
        }
        return copy;
    }
}
