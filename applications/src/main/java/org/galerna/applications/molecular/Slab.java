package org.galerna.applications.molecular;

import java.util.Arrays;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Request;
import mpi.Status;

/**
 * The particles between two planes of a periodic box, one slab for each rank. Before forces are computed, particles that
 * have left go to the neighbours, and copies of those near the planes go to both. Particles are put into cells that are
 * as wide as the forces reach, so that partners are in 27 cells. Units are those of Lennard and Jones.
 */
final class Slab {
    /** How far forces reach. */
    static final double REACH = 2.5;

    private static final int TAG_UP = 1;
    private static final int TAG_DOWN = 2;
    private static final double REACH_SQUARED = REACH * REACH;
    /** The potential is moved up so that it is 0 where it is cut off. */
    private static final double SHIFT = 4 * (Math.pow(REACH, -12) - Math.pow(REACH, -6));

    private final Intracomm ranks;
    private final double box;
    private final double bottom;
    private final double top;
    private final int above;
    private final int below;
    private final int cellsAcross;
    private final int layers;
    private final int[] starts;
    private int[] members = {};
    private int[] cells = {};
    private final Particles particles = new Particles();
    private double potential;

    /** The slab of a rank in a box of that edge. */
    Slab(Intracomm ranks, double box) {
        this.ranks = ranks;
        this.box = box;
        int size = ranks.Size();
        int rank = ranks.Rank();
        this.bottom = box * rank / size;
        this.top = box * (rank + 1) / size;
        this.above = (rank + 1) % size;
        this.below = (rank + size - 1) % size;
        this.cellsAcross = (int) (box / REACH);
        // one layer of copies below, and one above
        this.layers = Math.max(1, (int) ((top - bottom) / REACH)) + 2;
        this.starts = new int[cellsAcross * cellsAcross * layers + 1];
    }

    /** The most ranks that can share a box of that edge. */
    static int mostRanks(double box) {
        return (int) (box / REACH);
    }

    /** Its particles. */
    Particles particles() {
        return particles;
    }

    /** Whether a place is in this slab. */
    boolean holds(double z) {
        return z >= bottom && z < top;
    }

    /** Twice the potential energy of own particles: each pair counts for both. */
    double potential() {
        return potential;
    }

    /** Velocity Verlet: half a kick, a move, new forces, and half a kick. */
    void step(double time) {
        kick(time / 2);
        move(time);
        update();
        kick(time / 2);
    }

    private void kick(double time) {
        Particles p = particles;
        add(p.speedX, p.forceX, time, p.own());
        add(p.speedY, p.forceY, time, p.own());
        add(p.speedZ, p.forceZ, time, p.own());
    }

    private void move(double time) {
        Particles p = particles;
        add(p.x, p.speedX, time, p.own());
        add(p.y, p.speedY, time, p.own());
        add(p.z, p.speedZ, time, p.own());
        for (int index = 0; index < p.own(); index++) {
            p.x[index] = wrap(p.x[index]);
            p.y[index] = wrap(p.y[index]);
            p.z[index] = wrap(p.z[index]);
        }
    }

    private double wrap(double place) {
        double wrapped = place - box * Math.floor(place / box);
        return wrapped < box ? wrapped : 0; // a place just below 0 is rounded up to the edge
    }

    private static void add(double[] target, double[] source, double factor, int count) {
        for (int index = 0; index < count; index++) {
            target[index] += factor * source[index];
        }
    }

    /** Brings particles to where they belong, copies them, and computes forces. */
    void update() {
        particles.dropCopies();
        migrate();
        copyBorders();
        sortIntoCells();
        computeForces();
    }

    /** In a step a particle moves much less than a slab is thick, so it goes to a neighbour if anywhere. */
    private void migrate() {
        if (ranks.Size() == 1) {
            return;
        }
        double[] up = new double[16 * Particles.FIELDS];
        double[] down = new double[16 * Particles.FIELDS];
        int countUp = 0;
        int countDown = 0;
        for (int index = particles.own() - 1; index >= 0; index--) {
            double z = particles.z[index];
            if (holds(z)) {
                continue;
            }
            double distanceUp = z - top - box * Math.floor((z - top) / box);
            double distanceDown = bottom - z - box * Math.floor((bottom - z) / box);
            if (distanceUp <= distanceDown) {
                up = withRoom(up, (countUp + 1) * Particles.FIELDS);
                particles.get(index, up, countUp++ * Particles.FIELDS);
            } else {
                down = withRoom(down, (countDown + 1) * Particles.FIELDS);
                particles.get(index, down, countDown++ * Particles.FIELDS);
            }
            particles.remove(index);
        }
        double[] fromBelow = exchange(up, countUp * Particles.FIELDS, above, below, TAG_UP);
        double[] fromAbove = exchange(down, countDown * Particles.FIELDS, below, above, TAG_DOWN);
        for (int offset = 0; offset < fromBelow.length; offset += Particles.FIELDS) {
            particles.add(fromBelow, offset);
        }
        for (int offset = 0; offset < fromAbove.length; offset += Particles.FIELDS) {
            particles.add(fromAbove, offset);
        }
    }

    private static double[] withRoom(double[] array, int length) {
        return length <= array.length ? array : Arrays.copyOf(array, 2 * length);
    }

    private double[] exchange(double[] source, int count, int target, int origin, int tag) {
        Request sent = ranks.Isend(source, 0, count, MPI.DOUBLE, target, tag);
        Status status = ranks.Probe(origin, tag);
        double[] received = new double[status.Get_count(MPI.DOUBLE)];
        ranks.Recv(received, 0, received.length, MPI.DOUBLE, origin, tag);
        sent.Wait();
        return received;
    }

    private void copyBorders() {
        int own = particles.own();
        double[] up = new double[48];
        double[] down = new double[48];
        int countUp = 0;
        int countDown = 0;
        // across the edge of the box a copy lies outside of it
        double shiftUp = top >= box ? -box : 0;
        double shiftDown = bottom <= 0 ? box : 0;
        for (int index = 0; index < own; index++) {
            if (particles.z[index] >= top - REACH) {
                up = withRoom(up, countUp + 3);
                countUp = put(index, shiftUp, up, countUp);
            }
            if (particles.z[index] < bottom + REACH) {
                down = withRoom(down, countDown + 3);
                countDown = put(index, shiftDown, down, countDown);
            }
        }
        double[] fromBelow =
                ranks.Size() == 1 ? Arrays.copyOf(up, countUp) : exchange(up, countUp, above, below, TAG_UP);
        double[] fromAbove =
                ranks.Size() == 1 ? Arrays.copyOf(down, countDown) : exchange(down, countDown, below, above, TAG_DOWN);
        particles.addCopies(fromBelow, fromBelow.length / 3);
        particles.addCopies(fromAbove, fromAbove.length / 3);
    }

    private int put(int index, double shift, double[] target, int offset) {
        target[offset] = particles.x[index];
        target[offset + 1] = particles.y[index];
        target[offset + 2] = particles.z[index] + shift;
        return offset + 3;
    }

    private void sortIntoCells() {
        int all = particles.all();
        if (cells.length < all) {
            cells = new int[2 * all];
            members = new int[2 * all];
        }
        Arrays.fill(starts, 0);
        double acrossPerLength = cellsAcross / box;
        double layersPerLength = (layers - 2) / (top - bottom);
        for (int index = 0; index < all; index++) {
            int x = Math.min(cellsAcross - 1, (int) (particles.x[index] * acrossPerLength));
            int y = Math.min(cellsAcross - 1, (int) (particles.y[index] * acrossPerLength));
            int z = index < particles.own()
                    ? Math.min(layers - 2, 1 + (int) ((particles.z[index] - bottom) * layersPerLength))
                    : particles.z[index] < bottom ? 0 : layers - 1;
            cells[index] = (z * cellsAcross + y) * cellsAcross + x;
            starts[cells[index] + 1]++;
        }
        for (int cell = 1; cell < starts.length; cell++) {
            starts[cell] += starts[cell - 1];
        }
        for (int index = all - 1; index >= 0; index--) {
            members[--starts[cells[index] + 1]] = index;
        }
        // now starts[c + 1] is where cell c starts; moved back by one
        System.arraycopy(starts, 1, starts, 0, starts.length - 1);
        starts[starts.length - 1] = all;
    }

    private void computeForces() {
        potential = 0;
        for (int z = 1; z < layers - 1; z++) {
            for (int y = 0; y < cellsAcross; y++) {
                for (int x = 0; x < cellsAcross; x++) {
                    int cell = (z * cellsAcross + y) * cellsAcross + x;
                    for (int place = starts[cell]; place < starts[cell + 1]; place++) {
                        potential += forceOn(members[place], x, y, z);
                    }
                }
            }
        }
    }

    private double forceOn(int index, int cellX, int cellY, int cellZ) {
        double[] xs = particles.x;
        double[] ys = particles.y;
        double[] zs = particles.z;
        double x = xs[index];
        double y = ys[index];
        double z = zs[index];
        double forceX = 0;
        double forceY = 0;
        double forceZ = 0;
        double energy = 0;
        for (int nextZ = cellZ - 1; nextZ <= cellZ + 1; nextZ++) {
            for (int stepY = -1; stepY <= 1; stepY++) {
                int nextY = (cellY + stepY + cellsAcross) % cellsAcross;
                for (int stepX = -1; stepX <= 1; stepX++) {
                    int nextX = (cellX + stepX + cellsAcross) % cellsAcross;
                    int cell = (nextZ * cellsAcross + nextY) * cellsAcross + nextX;
                    for (int place = starts[cell]; place < starts[cell + 1]; place++) {
                        int other = members[place];
                        double dx = nearest(x - xs[other]);
                        double dy = nearest(y - ys[other]);
                        double dz = z - zs[other];
                        double squared = dx * dx + dy * dy + dz * dz;
                        if (squared < REACH_SQUARED && other != index) {
                            double inverse = 1 / squared;
                            double sixth = inverse * inverse * inverse;
                            double force = 48 * inverse * sixth * (sixth - 0.5);
                            forceX += force * dx;
                            forceY += force * dy;
                            forceZ += force * dz;
                            energy += 4 * sixth * (sixth - 1) - SHIFT;
                        }
                    }
                }
            }
        }
        particles.forceX[index] = forceX;
        particles.forceY[index] = forceY;
        particles.forceZ[index] = forceZ;
        return energy;
    }

    private double nearest(double distance) {
        double half = box / 2;
        if (distance > half) {
            return distance - box;
        }
        return distance < -half ? distance + box : distance;
    }
}
