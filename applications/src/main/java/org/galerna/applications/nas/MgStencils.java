package org.galerna.applications.nas;

/**
 * The four operations of the multigrid method on the planes of a grid. Each computes sums of neighbouring rows first and
 * uses them three times, as the coefficients of the 27 points depend on their distance only. All work is in loops over a
 * row. The compiler makes vector code of them only where no element that is read lies before the one that is written, in
 * whatever array; so rows are computed one place too far down, in an array of their own, and copied up.
 */
final class MgStencils {
    private final double smoothCentre;
    private final double smoothFace;
    private final double smoothEdge;
    private final double[] faces;
    private final double[] edges;
    private final double[] result;

    /** With the coefficients of the smoother, and room for rows of that many points. */
    MgStencils(double[] smoother, int width) {
        this.smoothCentre = smoother[0];
        this.smoothFace = smoother[1];
        this.smoothEdge = smoother[2];
        this.faces = new double[width + 2];
        this.edges = new double[width + 2];
        this.result = new double[width + 2];
    }

    /** {@code r = v - A u}; {@code r} may be {@code v}. */
    void residual(MgGrid u, MgGrid v, MgGrid r, int fromPlane, int toPlane) {
        int count = u.width() + 2;
        for (int z = fromPlane; z < toPlane; z++) {
            for (int y = 1; y <= u.height(); y++) {
                sumOfFour(faces, u.row(y - 1, z), u.row(y + 1, z), u.row(y, z - 1), u.row(y, z + 1), count);
                sumOfFour(
                        edges,
                        u.row(y - 1, z - 1),
                        u.row(y + 1, z - 1),
                        u.row(y - 1, z + 1),
                        u.row(y + 1, z + 1),
                        count);
                residualRow(result, v.row(y, z), u.row(y, z), faces, edges, u.width());
                System.arraycopy(result, 0, r.row(y, z), 1, u.width());
            }
        }
    }

    /** {@code u = u + S r}. */
    void smooth(MgGrid r, MgGrid u, int fromPlane, int toPlane) {
        int count = u.width() + 2;
        for (int z = fromPlane; z < toPlane; z++) {
            for (int y = 1; y <= u.height(); y++) {
                sumOfFour(faces, r.row(y - 1, z), r.row(y + 1, z), r.row(y, z - 1), r.row(y, z + 1), count);
                sumOfFour(
                        edges,
                        r.row(y - 1, z - 1),
                        r.row(y + 1, z - 1),
                        r.row(y - 1, z + 1),
                        r.row(y + 1, z + 1),
                        count);
                double[] target = u.row(y, z);
                smoothRow(result, target, r.row(y, z), faces, edges, u.width(), smoothCentre, smoothFace, smoothEdge);
                System.arraycopy(result, 0, target, 1, u.width());
            }
        }
    }

    private static void sumOfFour(double[] sum, double[] a, double[] b, double[] c, double[] d, int count) {
        for (int x = 0; x < count; x++) {
            sum[x] = a[x] + b[x] + c[x] + d[x];
        }
    }

    /** Coefficients -8/3, 0, 1/6, 1/12: the points on the faces do not count. */
    private static void residualRow(
            double[] result, double[] v, double[] u, double[] faces, double[] edges, int count) {
        for (int x = 0; x < count; x++) {
            result[x] = v[x + 1]
                    + 8.0 / 3.0 * u[x + 1]
                    - 1.0 / 6.0 * (edges[x + 1] + faces[x] + faces[x + 2])
                    - 1.0 / 12.0 * (edges[x] + edges[x + 2]);
        }
    }

    private static void smoothRow(
            double[] result,
            double[] u,
            double[] r,
            double[] faces,
            double[] edges,
            int count,
            double centre,
            double face,
            double edge) {
        for (int x = 0; x < count; x++) {
            result[x] = u[x + 1]
                    + centre * r[x + 1]
                    + face * (r[x] + r[x + 2] + faces[x + 1])
                    + edge * (edges[x + 1] + faces[x] + faces[x + 2]);
        }
    }

    /** Half weighting to the next coarser grid: point x there is point 2x here. */
    void restrict(MgGrid fine, MgGrid coarse, int fromPlane, int toPlane) {
        int count = fine.width() + 2;
        for (int z = fromPlane; z < toPlane; z++) {
            for (int y = 1; y <= coarse.height(); y++) {
                int fineY = 2 * y;
                int fineZ = 2 * z;
                sumOfFour(
                        faces,
                        fine.row(fineY - 1, fineZ),
                        fine.row(fineY + 1, fineZ),
                        fine.row(fineY, fineZ - 1),
                        fine.row(fineY, fineZ + 1),
                        count);
                sumOfFour(
                        edges,
                        fine.row(fineY - 1, fineZ - 1),
                        fine.row(fineY + 1, fineZ - 1),
                        fine.row(fineY - 1, fineZ + 1),
                        fine.row(fineY + 1, fineZ + 1),
                        count);
                restrictRow(coarse.row(y, z), fine.row(fineY, fineZ), faces, edges, coarse.width());
            }
        }
    }

    private static void restrictRow(double[] coarse, double[] fine, double[] faces, double[] edges, int count) {
        for (int x = 1; x <= count; x++) {
            int f = 2 * x;
            coarse[x] = 0.5 * fine[f]
                    + 0.25 * (fine[f - 1] + fine[f + 1] + faces[f])
                    + 0.125 * (faces[f - 1] + faces[f + 1] + edges[f])
                    + 0.0625 * (edges[f - 1] + edges[f + 1]);
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
                sumOfTwo(faces, here, inY, count + 1);
                addInterpolated(fine.row(2 * y + 1, 2 * z), faces, count, 0.5);
                sumOfTwo(edges, here, inZ, count + 1);
                addInterpolated(fine.row(2 * y, 2 * z + 1), edges, count, 0.5);
                sumOfFour(edges, here, inY, inZ, inBoth, count + 1);
                addInterpolated(fine.row(2 * y + 1, 2 * z + 1), edges, count, 0.25);
            }
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
