package org.galerna.applications.nas;

import java.util.Arrays;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Prequest;
import mpi.Request;
import org.galerna.applications.team.Team;

/**
 * The part of a periodic grid of {@code 2^level} points in each direction that a rank has, with a ring of ghost points.
 * Ranks cut it in y and z; rows in x are whole. Each row is an array of its own, because the compiler makes vector code
 * of loops over arrays whose indexes differ by constants.
 */
final class MgGrid {
    private static final int TAG_Y = 1;
    private static final int TAG_Z = 3;

    private final int width;
    private final int height;
    private final int depth;
    private final int stride;
    private final double[][][] planes;
    private final int ranksY;
    private final int ranksZ;
    // messages in y and in z, each a send and a receive on two sides
    private final double[][] outbound;
    private final double[][] inbound;
    private final Prequest[] requestsY;
    private final Prequest[] requestsZ;

    /** The part of a rank among {@code ranksY * ranksZ} of them, whose numbers count in y first. */
    MgGrid(Intracomm ranks, int points, int ranksY, int ranksZ) {
        this.ranksY = ranksY;
        this.ranksZ = ranksZ;
        this.width = points;
        this.height = points / ranksY;
        this.depth = points / ranksZ;
        this.stride = height + 2;
        this.planes = new double[depth + 2][stride][width + 2];
        int rankY = ranks.Rank() % ranksY;
        int rankZ = ranks.Rank() / ranksY;
        this.outbound = new double[4][];
        this.inbound = new double[4][];
        if (ranksY > 1) {
            int below = rankZ * ranksY + (rankY + ranksY - 1) % ranksY;
            int above = rankZ * ranksY + (rankY + 1) % ranksY;
            this.requestsY = requests(ranks, below, above, 0, depth * (width + 2), TAG_Y);
        } else {
            this.requestsY = new Prequest[0];
        }
        if (ranksZ > 1) {
            int below = (rankZ + ranksZ - 1) % ranksZ * ranksY + rankY;
            int above = (rankZ + 1) % ranksZ * ranksY + rankY;
            this.requestsZ = requests(ranks, below, above, 2, stride * (width + 2), TAG_Z);
        } else {
            this.requestsZ = new Prequest[0];
        }
    }

    private Prequest[] requests(Intracomm ranks, int below, int above, int first, int count, int tag) {
        for (int side = first; side < first + 2; side++) {
            outbound[side] = new double[count];
            inbound[side] = new double[count];
        }
        return new Prequest[] {
            ranks.Recv_init(inbound[first], 0, count, MPI.DOUBLE, below, tag),
            ranks.Recv_init(inbound[first + 1], 0, count, MPI.DOUBLE, above, tag + 1),
            ranks.Send_init(outbound[first + 1], 0, count, MPI.DOUBLE, above, tag),
            ranks.Send_init(outbound[first], 0, count, MPI.DOUBLE, below, tag + 1)
        };
    }

    /** Points in x. */
    int width() {
        return width;
    }

    /** Points in y. */
    int height() {
        return height;
    }

    /** Points in z. */
    int depth() {
        return depth;
    }

    /** A row; the ghost rows are 0 and {@code height + 1}, and those of planes 0 and {@code depth + 1}. */
    double[] row(int y, int z) {
        return planes[z][y];
    }

    /** The rows of a plane, ghost rows too. */
    double[][] plane(int z) {
        return planes[z];
    }

    /** Whether rows in y are whole, so that a rank fills the ghost rows of a plane itself. */
    boolean hasWholePlanes() {
        return ranksY == 1;
    }

    /** Sets the share of a thread to 0, ghost points too. */
    void clear(Team.Member member) {
        for (int z = member.from(planes.length); z < member.to(planes.length); z++) {
            for (double[] row : planes[z]) {
                Arrays.fill(row, 0.0);
            }
        }
        member.barrier();
    }

    /** Fills the ghost points of a row. */
    static void closeRow(double[] row) {
        row[0] = row[row.length - 2];
        row[row.length - 1] = row[1];
    }

    /** Fills the ghost rows of a plane that is whole in y. */
    static void closePlane(double[][] plane) {
        int height = plane.length - 2;
        System.arraycopy(plane[height], 0, plane[0], 0, plane[0].length);
        System.arraycopy(plane[1], 0, plane[height + 1], 0, plane[0].length);
    }

    /** Fills the ghost points, when all threads are here: first in x, then in y, and then in z with the corners. */
    void exchange(Team.Member member) {
        member.barrier();
        for (int z = 1 + member.from(depth); z < 1 + member.to(depth); z++) {
            for (int y = 1; y <= height; y++) {
                closeRow(row(y, z));
            }
        }
        exchangeRows(member);
    }

    /** Fills the ghost rows and planes, when all threads are here; the rows have their ghost points. */
    void exchangeRows(Team.Member member) {
        int firstPlane = 1 + member.from(depth);
        int endPlane = 1 + member.to(depth);
        for (int z = firstPlane; z < endPlane; z++) {
            if (ranksY == 1) {
                closePlane(planes[z]);
            } else {
                System.arraycopy(row(1, z), 0, outbound[0], (z - 1) * (width + 2), width + 2);
                System.arraycopy(row(height, z), 0, outbound[1], (z - 1) * (width + 2), width + 2);
            }
        }
        if (ranksY > 1) {
            member.once(() -> communicate(requestsY));
            for (int z = firstPlane; z < endPlane; z++) {
                System.arraycopy(inbound[0], (z - 1) * (width + 2), row(0, z), 0, width + 2);
                System.arraycopy(inbound[1], (z - 1) * (width + 2), row(height + 1, z), 0, width + 2);
            }
        }
        exchangePlanes(member);
    }

    /** Fills the ghost planes, when all threads are here; the first and the last plane are complete. */
    void exchangePlanes(Team.Member member) {
        member.barrier();
        int from = member.from(stride);
        int to = member.to(stride);
        if (ranksZ == 1) {
            for (int y = from; y < to; y++) {
                System.arraycopy(row(y, depth), 0, row(y, 0), 0, width + 2);
                System.arraycopy(row(y, 1), 0, row(y, depth + 1), 0, width + 2);
            }
        } else {
            for (int y = from; y < to; y++) {
                System.arraycopy(row(y, 1), 0, outbound[2], y * (width + 2), width + 2);
                System.arraycopy(row(y, depth), 0, outbound[3], y * (width + 2), width + 2);
            }
            member.once(() -> communicate(requestsZ));
            for (int y = from; y < to; y++) {
                System.arraycopy(inbound[2], y * (width + 2), row(y, 0), 0, width + 2);
                System.arraycopy(inbound[3], y * (width + 2), row(y, depth + 1), 0, width + 2);
            }
        }
        member.barrier();
    }

    private static void communicate(Prequest[] requests) {
        Prequest.Startall(requests);
        Request.Waitall(requests);
    }

    /** Gathers a grid that the ranks have cut into one that each has whole; its ghost points are not filled. */
    void gatherInto(MgGrid whole, Intracomm ranks) {
        double[] part = new double[width * height * depth];
        for (int z = 0; z < depth; z++) {
            for (int y = 0; y < height; y++) {
                System.arraycopy(row(y + 1, z + 1), 1, part, (z * height + y) * width, width);
            }
        }
        double[] all = new double[part.length * ranks.Size()];
        ranks.Allgather(part, 0, part.length, MPI.DOUBLE, all, 0, part.length, MPI.DOUBLE);
        for (int rank = 0; rank < ranks.Size(); rank++) {
            int firstY = rank % ranksY * height;
            int firstZ = rank / ranksY * depth;
            for (int z = 0; z < depth; z++) {
                for (int y = 0; y < height; y++) {
                    System.arraycopy(
                            all,
                            rank * part.length + (z * height + y) * width,
                            whole.row(firstY + y + 1, firstZ + z + 1),
                            1,
                            width);
                }
            }
        }
    }

    /** Takes the part of this rank out of a grid that it has whole; ghost points are not filled. */
    void takeFrom(MgGrid whole, int rank) {
        int firstY = rank % ranksY * height;
        int firstZ = rank / ranksY * depth;
        for (int z = 1; z <= depth; z++) {
            for (int y = 1; y <= height; y++) {
                System.arraycopy(whole.row(firstY + y, firstZ + z), 1, row(y, z), 1, width);
            }
        }
    }
}
