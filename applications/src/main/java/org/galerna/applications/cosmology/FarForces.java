package org.galerna.applications.cosmology;

import java.util.Optional;
import mpi.Intracomm;
import mpi.MPI;

/**
 * The part of the forces that reaches far, by the mesh. Some of the ranks have slabs of it, a power of two of them; each particle's
 * place goes to the rank that has its plane, and its force comes back. Not thread-safe.
 */
final class FarForces {
    private final Intracomm ranks;
    private final Optional<Mesh> mesh;
    private final int size;
    private final int planes;
    private final double mean;
    private final Mail mail;
    private final Mail answers;
    private int[] owners = {};

    /**
     * Forces.
     *
     * @param size cells of the mesh along the box, a power of two
     * @param particles of all ranks
     * @param strength as that of {@link Mesh}
     */
    FarForces(Intracomm ranks, ForceSplit split, int size, double particles, double strength) {
        this.ranks = ranks;
        this.size = size;
        int slabs = Math.min(Integer.highestOneBit(ranks.Size()), size);
        this.planes = size / slabs;
        this.mesh = withSlabs(ranks, slabs).map(some -> new Mesh(some, size, split.scale(), strength));
        this.mean = particles / ((double) size * size * size);
        this.mail = new Mail(ranks);
        this.answers = new Mail(ranks);
    }

    /** The first ranks; empty for all others. */
    static Optional<Intracomm> withSlabs(Intracomm ranks, int count) {
        return Optional.ofNullable(ranks.Split(ranks.Rank() < count ? 0 : MPI.UNDEFINED, ranks.Rank()));
    }

    /** Adds accelerations and potentials. */
    void add(Particles particles) {
        double[] places = sendPlaces(particles);
        double[] values = mesh.map(some -> some.forces(places, mean)).orElseGet(() -> new double[0]);
        int start = 0;
        for (int rank = 0; rank < ranks.Size(); rank++) {
            int count = mail.received(rank) / 3 * Mesh.FIELDS;
            double[] letter = answers.extend(rank, count);
            System.arraycopy(values, start, letter, 0, count);
            start += count;
        }
        double[] received = answers.exchange();
        int[] next = new int[ranks.Size()];
        for (int rank = 1; rank < next.length; rank++) {
            next[rank] = next[rank - 1] + answers.received(rank - 1);
        }
        for (int index = 0; index < particles.count(); index++) {
            int place = next[owners[index]];
            next[owners[index]] = place + Mesh.FIELDS;
            particles.forceX[index] += received[place];
            particles.forceY[index] += received[place + 1];
            particles.forceZ[index] += received[place + 2];
            particles.potential[index] += received[place + 3];
        }
    }

    private double[] sendPlaces(Particles particles) {
        if (owners.length < particles.count()) {
            owners = new int[particles.count() + particles.count() / 4];
        }
        for (int index = 0; index < particles.count(); index++) {
            int owner = Clouds.nearest(particles.z[index], size) / planes;
            owners[index] = owner;
            int offset = mail.offset(owner);
            double[] letter = mail.extend(owner, 3);
            letter[offset] = particles.x[index];
            letter[offset + 1] = particles.y[index];
            letter[offset + 2] = particles.z[index];
        }
        return mail.exchange();
    }

    /**
     * The power spectrum of the density. All ranks call it and have the result.
     *
     * @return for each whole number of waves along the box their mean power in units of its volume, and their mean number; the
     *     first of both is that of no wave, and 0
     */
    double[][] power(Particles particles) {
        double[] places = sendPlaces(particles);
        double[] here = mesh.map(some -> some.power(places, mean)).orElseGet(() -> new double[3 * (size / 2)]);
        double[] sums = new double[here.length];
        ranks.Allreduce(here, 0, sums, 0, here.length, MPI.DOUBLE, MPI.SUM);
        double[][] spectrum = new double[2][size / 2];
        for (int bin = 1; bin < size / 2; bin++) {
            spectrum[0][bin] = sums[3 * bin] / sums[3 * bin + 2];
            spectrum[1][bin] = sums[3 * bin + 1] / sums[3 * bin + 2];
        }
        return spectrum;
    }
}
