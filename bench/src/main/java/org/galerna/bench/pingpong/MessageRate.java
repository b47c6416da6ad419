package org.galerna.bench.pingpong;

import java.util.ArrayList;
import java.util.List;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Request;

/**
 * Messages per second from rank 0 to rank 1: a window of non-blocking sends, all of which are waited for, then one
 * acknowledgement, as in the OSU benchmarks.
 */
final class MessageRate {
    private static final int LENGTH = 8;
    private static final int DATA_TAG = 4;
    private static final int ACKNOWLEDGEMENT_TAG = 5;

    private final Intracomm world = MPI.COMM_WORLD;
    private final byte[] buffer = new byte[LENGTH];
    private final byte[] acknowledgement = new byte[1];
    private final Request[] requests;

    MessageRate(int window) {
        requests = new Request[window];
    }

    /**
     * Runs on both ranks.
     *
     * @return million messages a second in each repetition
     */
    List<Double> measure(int repetitions, int windows) {
        boolean sender = world.Rank() == 0;
        List<Double> rates = new ArrayList<>();
        for (int repetition = 0; repetition < repetitions; repetition++) {
            long start = System.nanoTime();
            for (int each = 0; each < windows; each++) {
                if (sender) {
                    sendWindow();
                } else {
                    receiveWindow();
                }
            }
            rates.add(windows * (double) requests.length * 1e3 / (System.nanoTime() - start));
        }
        return rates;
    }

    private void sendWindow() {
        for (int each = 0; each < requests.length; each++) {
            requests[each] = world.Isend(buffer, 0, LENGTH, MPI.BYTE, 1, DATA_TAG);
        }
        Request.Waitall(requests);
        world.Recv(acknowledgement, 0, 1, MPI.BYTE, 1, ACKNOWLEDGEMENT_TAG);
    }

    private void receiveWindow() {
        for (int each = 0; each < requests.length; each++) {
            requests[each] = world.Irecv(buffer, 0, LENGTH, MPI.BYTE, 0, DATA_TAG);
        }
        Request.Waitall(requests);
        world.Send(acknowledgement, 0, 1, MPI.BYTE, 0, ACKNOWLEDGEMENT_TAG);
    }
}
