package org.galerna.applications.nas;

/**
 * The four operations of the multigrid method, on planes. The coefficients of the 27 points depend on their distance only: each
 * operation makes a row of what the points beside a point add to it, and one of the rest, and then joins them. All work is in loops over a row. The compiler
 * makes vector code of them only where no element that is read lies before the one that is written, in whatever array; so
 * rows are computed one place too far down, in an array of their own, and copied up. Rows are left with their ghost points.
 */
final class MgStencils {
    /** Below, beside and above a point. */
    private static final int PLANES = 3;

    private final double smoothCentre;
    private final double smoothFace;
    private final double smoothEdge;
    private final double[] beside;
    private final double[] middle;
    private final double[] result;
    private final double[][][][] rings;

    /**
     * Of one thread.
     *
     * @param smoother its coefficients
     * @param width points of the longest row, a power of two
     */
    MgStencils(double[] smoother, int width) {
        this.smoothCentre = smoother[0];
        this.smoothFace = smoother[1];
        this.smoothEdge = smoother[2];
        this.beside = new double[width + 2];
        this.middle = new double[width + 2];
        this.result = new double[width + 2];
        this.rings = new double[Integer.numberOfTrailingZeros(width) + 1][][][];
        for (int level = 0; level < rings.length; level++) {
            int side = (1 << level) + 2;
            rings[level] = new double[PLANES][side][side];
        }
    }

    /** As many planes of a cube's grid as the stencils need at once, to compute into. */
    double[][][] ring(int width) {
        return rings[Integer.numberOfTrailingZeros(width)];
    }

    /** {@code r = v - A u} for planes of a grid; {@code r} may be {@code v}. */
    void residual(MgGrid u, MgGrid v, MgGrid r, int fromPlane, int toPlane) {
        for (int z = fromPlane; z < toPlane; z++) {
            residual(u, v.plane(z), r.plane(z), z);
        }
    }

    /** {@code r = v - A u} for one plane. */
    void residual(MgGrid u, double[][] v, double[][] r, int z) {
        double[][] below = u.plane(z - 1);
        double[][] here = u.plane(z);
        double[][] above = u.plane(z + 1);
        int width = u.width();
        for (int y = 1; y <= u.height(); y++) {
            residualParts(
                    beside,
                    middle,
                    v[y],
                    here[y],
                    here[y - 1],
                    here[y + 1],
                    below[y],
                    above[y],
                    below[y - 1],
                    below[y + 1],
                    above[y - 1],
                    above[y + 1],
                    width + 2);
            join(result, middle, beside, -1.0 / 12.0, width);
            System.arraycopy(result, 0, r[y], 1, width);
            MgGrid.closeRow(r[y]);
        }
    }

    /** {@code u = u + S r} for planes of a grid. */
    void smooth(MgGrid r, MgGrid u, int fromPlane, int toPlane) {
        for (int z = fromPlane; z < toPlane; z++) {
            smooth(r.plane(z - 1), r.plane(z), r.plane(z + 1), u.plane(z), u.width());
        }
    }

    /** {@code u = u + S r} for one plane, with those of {@code r} below, beside and above it. */
    void smooth(double[][] below, double[][] here, double[][] above, double[][] u, int width) {
        for (int y = 1; y < u.length - 1; y++) {
            smoothParts(
                    beside,
                    middle,
                    u[y],
                    here[y],
                    here[y - 1],
                    here[y + 1],
                    below[y],
                    above[y],
                    below[y - 1],
                    below[y + 1],
                    above[y - 1],
                    above[y + 1],
                    width + 2,
                    smoothCentre,
                    smoothFace,
                    smoothEdge);
            join(result, middle, beside, 1.0, width);
            System.arraycopy(result, 0, u[y], 1, width);
            MgGrid.closeRow(u[y]);
        }
    }

    /** Coefficients -8/3, 0, 1/6, 1/12: the points on the faces do not count, but for those of a row beside it. */
    private static void residualParts(
            double[] beside,
            double[] middle,
            double[] v,
            double[] u,
            double[] face0,
            double[] face1,
            double[] face2,
            double[] face3,
            double[] edge0,
            double[] edge1,
            double[] edge2,
            double[] edge3,
            int count) {
        for (int x = 0; x < count; x++) {
            double faces = (face0[x] + face1[x]) + (face2[x] + face3[x]);
            double edges = (edge0[x] + edge1[x]) + (edge2[x] + edge3[x]);
            beside[x] = Math.fma(2.0, faces, edges);
            middle[x] = Math.fma(-1.0 / 6.0, edges, Math.fma(8.0 / 3.0, u[x], v[x]));
        }
    }

    private static void smoothParts(
            double[] beside,
            double[] middle,
            double[] u,
            double[] r,
            double[] face0,
            double[] face1,
            double[] face2,
            double[] face3,
            double[] edge0,
            double[] edge1,
            double[] edge2,
            double[] edge3,
            int count,
            double centre,
            double face,
            double edge) {
        for (int x = 0; x < count; x++) {
            double faces = (face0[x] + face1[x]) + (face2[x] + face3[x]);
            double edges = (edge0[x] + edge1[x]) + (edge2[x] + edge3[x]);
            beside[x] = Math.fma(face, r[x], edge * faces);
            middle[x] = Math.fma(edge, edges, Math.fma(face, faces, Math.fma(centre, r[x], u[x])));
        }
    }

    /** The part of the row itself, and that of its neighbours to both sides. */
    private static void join(double[] result, double[] middle, double[] beside, double weight, int count) {
        for (int x = 0; x < count; x++) {
            result[x] = Math.fma(weight, beside[x] + beside[x + 2], middle[x + 1]);
        }
    }

    /** Half weighting to the next coarser grid, for planes of that: plane z there is plane 2z here. */
    void restrict(MgGrid fine, MgGrid coarse, int fromPlane, int toPlane) {
        for (int z = fromPlane; z < toPlane; z++) {
            restrict(fine.plane(2 * z - 1), fine.plane(2 * z), fine.plane(2 * z + 1), coarse.plane(z), coarse.width());
        }
    }

    /** The same for one plane of the coarser grid, with three of the finer one. */
    void restrict(double[][] below, double[][] here, double[][] above, double[][] coarse, int width) {
        int count = 2 * width + 2;
        for (int y = 1; y < coarse.length - 1; y++) {
            int f = 2 * y;
            across(
                    result,
                    here[f],
                    here[f - 1],
                    here[f + 1],
                    below[f],
                    above[f],
                    below[f - 1],
                    below[f + 1],
                    above[f - 1],
                    above[f + 1],
                    count);
            restrictRow(coarse[y], result, width);
            MgGrid.closeRow(coarse[y]);
        }
    }

    /** Weights of a half for each direction: those along the row are applied last. */
    private static void restrictRow(double[] coarse, double[] across, int count) {
        for (int x = 1; x <= count; x++) {
            int f = 2 * x;
            coarse[x] = across[f] + 0.5 * (across[f - 1] + across[f + 1]);
        }
    }

    private static void across(
            double[] across,
            double[] fine,
            double[] face0,
            double[] face1,
            double[] face2,
            double[] face3,
            double[] edge0,
            double[] edge1,
            double[] edge2,
            double[] edge3,
            int count) {
        for (int x = 0; x < count; x++) {
            double faces = (face0[x] + face1[x]) + (face2[x] + face3[x]);
            double edges = (edge0[x] + edge1[x]) + (edge2[x] + edge3[x]);
            across[x] = Math.fma(0.5, fine[x], Math.fma(0.25, faces, 0.125 * edges));
        }
    }

    /**
     * Adds the trilinear interpolation of a coarse grid, ghost points too. Planes are those of the coarse grid from 0 to
     * {@code depth}; each gives two planes of the fine one.
     */
    void interpolate(MgGrid coarse, MgGrid fine, int fromPlane, int toPlane) {
        int count = coarse.width() + 1;
        for (int z = fromPlane; z < toPlane; z++) {
            for (int y = 0; y <= coarse.height(); y++) {
                double[] here = coarse.row(y, z);
                double[] inY = coarse.row(y + 1, z);
                double[] inZ = coarse.row(y, z + 1);
                double[] inBoth = coarse.row(y + 1, z + 1);
                addInterpolated(fine.row(2 * y, 2 * z), here, count, 1.0);
                sumOfTwo(beside, here, inY, count + 1);
                addInterpolated(fine.row(2 * y + 1, 2 * z), beside, count, 0.5);
                sumOfTwo(middle, here, inZ, count + 1);
                addInterpolated(fine.row(2 * y, 2 * z + 1), middle, count, 0.5);
                sumOfFour(middle, here, inY, inZ, inBoth, count + 1);
                addInterpolated(fine.row(2 * y + 1, 2 * z + 1), middle, count, 0.25);
            }
        }
    }

    private static void sumOfFour(double[] sum, double[] a, double[] b, double[] c, double[] d, int count) {
        for (int x = 0; x < count; x++) {
            sum[x] = a[x] + b[x] + c[x] + d[x];
        }
    }

    private static void sumOfTwo(double[] sum, double[] a, double[] b, int count) {
        for (int x = 0; x < count; x++) {
            sum[x] = a[x] + b[x];
        }
    }

    private static void addInterpolated(double[] fine, double[] sums, int count, double weight) {
        double half = 0.5 * weight;
        for (int x = 0; x < count; x++) {
            fine[2 * x] += weight * sums[x];
            fine[2 * x + 1] += half * (sums[x] + sums[x + 1]);
        }
    }

    /** The sum of squares of the points of planes. */
    static double squares(MgGrid grid, int fromPlane, int toPlane) {
        double sum = 0;
        for (int z = fromPlane; z < toPlane; z++) {
            for (int y = 1; y <= grid.height(); y++) {
                sum += squaresOfRow(grid.row(y, z), grid.width());
            }
        }
        return sum;
    }

    private static double squaresOfRow(double[] row, int width) {
        double even = 0;
        double odd = 0;
        for (int x = 1; x < width; x += 2) {
            even += row[x] * row[x];
            odd += row[x + 1] * row[x + 1];
        }
        return even + odd;
    }
}
