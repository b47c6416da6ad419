package org.galerna.applications.cosmology;

import java.util.Arrays;
import mpi.Intracomm;
import mpi.MPI;

/**
 * Which rank has which particles: each has those of a piece of Hilbert's curve, cut between blocks so that all ranks have
 * about the same work. M. S. Warren and J. K. Salmon, Supercomputing '93. After {@link #balance} the particles of a rank
 * are in the order of the curve. Not thread-safe.
 */
final class Domains {
    private final Intracomm ranks;
    private final Blocks blocks;
    private final Mail mail;
    private final KeySort sort = new KeySort();
    private final int[] cuts;
    private long[] keys = {};

    /** Of equal parts of the curve. */
    Domains(Intracomm ranks, Blocks blocks) {
        this.ranks = ranks;
        this.blocks = blocks;
        this.mail = new Mail(ranks);
        int size = ranks.Size();
        this.cuts = new int[size + 1];
        for (int rank = 0; rank <= size; rank++) {
            cuts[rank] = (int) ((long) blocks.count() * rank / size);
        }
    }

    /** Cuts the curve anew by the work of the particles, and brings each one to where it belongs. */
    void balance(Particles particles) {
        arrange(particles);
        if (ranks.Size() == 1) {
            return;
        }
        cut(particles);
        for (int index = 0; index < particles.count(); index++) {
            int owner = owner(blocks.of(keys[index]));
            int offset = mail.offset(owner);
            particles.get(index, mail.extend(owner, Particles.FIELDS), offset);
        }
        double[] received = mail.exchange();
        particles.clear();
        for (int offset = 0; offset < received.length; offset += Particles.FIELDS) {
            particles.add(received, offset);
        }
        arrange(particles);
    }

    private void arrange(Particles particles) {
        int count = particles.count();
        if (keys.length < count) {
            keys = new long[count + count / 4];
        }
        for (int index = 0; index < count; index++) {
            keys[index] = HilbertCurve.key(particles.x[index], particles.y[index], particles.z[index]);
        }
        int[] order = sort.order(keys, particles.name, count);
        long[] arranged = new long[keys.length];
        for (int place = 0; place < count; place++) {
            arranged[place] = keys[order[place]];
        }
        keys = arranged;
        particles.arrange(order);
    }

    /** Finds all cuts at once, by halving: the sums of work before a block are those of all ranks. */
    private void cut(Particles particles) {
        int size = ranks.Size();
        double[] before = new double[blocks.count() + 1];
        for (int index = 0; index < particles.count(); index++) {
            before[blocks.of(keys[index]) + 1] += particles.work[index];
        }
        for (int block = 0; block < blocks.count(); block++) {
            before[block + 1] += before[block];
        }
        double[] all = {before[blocks.count()]}; // by itself: MPJ Express 0.44 reads past an array at offsets
        double[] total = new double[1];
        ranks.Allreduce(all, 0, total, 0, 1, MPI.DOUBLE, MPI.SUM);
        int[] low = new int[size + 1];
        int[] high = new int[size + 1];
        Arrays.fill(high, blocks.count());
        double[] here = new double[size + 1];
        double[] sums = new double[size + 1];
        for (int halving = 0; halving <= 3 * blocks.level(); halving++) {
            for (int rank = 1; rank < size; rank++) {
                here[rank] = before[(low[rank] + high[rank]) >>> 1];
            }
            ranks.Allreduce(here, 0, sums, 0, size, MPI.DOUBLE, MPI.SUM);
            for (int rank = 1; rank < size; rank++) {
                int middle = (low[rank] + high[rank]) >>> 1;
                if (low[rank] >= high[rank]) {
                    continue;
                }
                if (sums[rank] < total[0] * rank / size) {
                    low[rank] = middle + 1;
                } else {
                    high[rank] = middle;
                }
            }
        }
        System.arraycopy(low, 1, cuts, 1, size - 1);
    }

    /** The rank that has a block. */
    int owner(int block) {
        int low = 0;
        int high = ranks.Size();
        while (high - low > 1) {
            int middle = (low + high) >>> 1;
            if (cuts[middle] <= block) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Gets copies from other ranks. */
    Surroundings surroundings(Particles particles) {
        int own = particles.count();
        if (ranks.Size() == 1) {
            return new Surroundings(particles.x, particles.y, particles.z, 0, own, own);
        }
        int index = 0;
        int[] sentTo = new int[ranks.Size()];
        int stamp = 0;
        while (index < own) {
            int block = blocks.of(keys[index]);
            int end = index + 1;
            while (end < own && blocks.of(keys[end]) == block) {
                end++;
            }
            stamp++;
            sendBlock(particles, index, end, sentTo, stamp);
            index = end;
        }
        return join(particles, mail.exchange());
    }

    private void sendBlock(Particles particles, int from, int to, int[] sentTo, int stamp) {
        int blockX = blocks.coordinate(particles.x[from]);
        int blockY = blocks.coordinate(particles.y[from]);
        int blockZ = blocks.coordinate(particles.z[from]);
        int steps = blocks.steps();
        sentTo[ranks.Rank()] = stamp;
        for (int z = -steps; z <= steps; z++) {
            for (int y = -steps; y <= steps; y++) {
                for (int x = -steps; x <= steps; x++) {
                    if (!blocks.isNear(x, y, z)) {
                        continue;
                    }
                    int owner = owner(blocks.at(blockX + x, blockY + y, blockZ + z));
                    if (sentTo[owner] != stamp) {
                        sentTo[owner] = stamp;
                        send(particles, from, to, owner);
                    }
                }
            }
        }
    }

    private void send(Particles particles, int from, int to, int owner) {
        int offset = mail.offset(owner);
        double[] letter = mail.extend(owner, 3 * (to - from));
        for (int index = from; index < to; index++) {
            letter[offset++] = particles.x[index];
            letter[offset++] = particles.y[index];
            letter[offset++] = particles.z[index];
        }
    }

    /** Lower ranks have earlier pieces of the curve, so that their copies come first. */
    private Surroundings join(Particles particles, double[] received) {
        int own = particles.count();
        int copies = received.length / 3;
        int before = 0;
        for (int rank = 0; rank < ranks.Rank(); rank++) {
            before += mail.received(rank) / 3;
        }
        double[] x = new double[copies + own];
        double[] y = new double[copies + own];
        double[] z = new double[copies + own];
        for (int copy = 0; copy < copies; copy++) {
            int place = copy < before ? copy : copy + own;
            x[place] = received[3 * copy];
            y[place] = received[3 * copy + 1];
            z[place] = received[3 * copy + 2];
        }
        System.arraycopy(particles.x, 0, x, before, own);
        System.arraycopy(particles.y, 0, y, before, own);
        System.arraycopy(particles.z, 0, z, before, own);
        return new Surroundings(x, y, z, before, own, copies + own);
    }
}
