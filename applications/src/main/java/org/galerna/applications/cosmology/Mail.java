package org.galerna.applications.cosmology;

import java.util.Arrays;
import mpi.Intracomm;
import mpi.MPI;

/** Doubles that a rank sends to each rank, itself included; how many there are is not known before. Not thread-safe. */
final class Mail {
    private final Intracomm ranks;
    private final double[][] letters;
    private final int[] lengths;
    private final int[] receivedLengths;

    /** Empty. */
    Mail(Intracomm ranks) {
        this.ranks = ranks;
        this.letters = new double[ranks.Size()][64];
        this.lengths = new int[ranks.Size()];
        this.receivedLengths = new int[ranks.Size()];
    }

    /** Makes room for numbers to a rank, and returns the array to write them to, from {@link #offset} before this call. */
    double[] extend(int rank, int count) {
        int length = lengths[rank] + count;
        if (length > letters[rank].length) {
            letters[rank] = Arrays.copyOf(letters[rank], Math.max(length, 2 * letters[rank].length));
        }
        lengths[rank] = length;
        return letters[rank];
    }

    /** How many numbers there are for a rank already. */
    int offset(int rank) {
        return lengths[rank];
    }

    /** Sends all and returns what has come, in the order of the senders; empty again after that. */
    double[] exchange() {
        int size = ranks.Size();
        int[] starts = starts(lengths);
        double[] outbound = new double[starts[size]];
        for (int rank = 0; rank < size; rank++) {
            System.arraycopy(letters[rank], 0, outbound, starts[rank], lengths[rank]);
        }
        if (size == 1) {
            receivedLengths[0] = lengths[0];
            lengths[0] = 0;
            return outbound;
        }
        ranks.Alltoall(lengths, 0, 1, MPI.INT, receivedLengths, 0, 1, MPI.INT);
        int[] places = starts(receivedLengths);
        double[] inbound = new double[places[size]];
        ranks.Alltoallv(outbound, 0, lengths, starts, MPI.DOUBLE, inbound, 0, receivedLengths, places, MPI.DOUBLE);
        Arrays.fill(lengths, 0);
        return inbound;
    }

    /** How many numbers came from a rank in the last exchange. */
    int received(int rank) {
        return receivedLengths[rank];
    }

    private static int[] starts(int[] lengths) {
        int[] starts = new int[lengths.length + 1];
        for (int rank = 0; rank < lengths.length; rank++) {
            starts[rank + 1] = Math.addExact(starts[rank], lengths[rank]);
        }
        return starts;
    }
}
