package org.galerna.bench.galerna;

import mpi.Intracomm;
import mpi.MPI;
import mpi.Request;

/** Messages through the public API: {@code byte[]} and the world's communicator. */
final class MpiMessenger extends Messenger {
    private final Intracomm world = MPI.COMM_WORLD;
    private final int dataTag;
    private final int acknowledgementTag;
    private final double[] mine = new double[1];
    private final double[] largest = new double[1];
    private Request[] requests = new Request[0];
    private Request[] both = new Request[0];

    /** A messenger whose messages meet those of the same number on other ranks. */
    MpiMessenger(int number) {
        dataTag = 2 * number;
        acknowledgementTag = 2 * number + 1;
    }

    @Override
    int rank() {
        return world.Rank();
    }

    @Override
    int size() {
        return world.Size();
    }

    @Override
    void prepare(int bytes, int window) {
        super.prepare(bytes, window);
        if (requests.length != window) {
            requests = new Request[window];
            both = new Request[2 * window];
        }
    }

    @Override
    void send(int peer) {
        world.Send(source, 0, length, MPI.BYTE, peer, dataTag);
    }

    @Override
    void receive(int peer) {
        world.Recv(target, 0, length, MPI.BYTE, peer, dataTag);
    }

    @Override
    void sendWindow(int peer, int window) {
        for (int each = 0; each < window; each++) {
            requests[each] = world.Isend(source, 0, length, MPI.BYTE, peer, dataTag);
        }
        Request.Waitall(requests);
    }

    @Override
    void receiveWindow(int peer, int window) {
        for (int each = 0; each < window; each++) {
            requests[each] = world.Irecv(target, 0, length, MPI.BYTE, peer, dataTag);
        }
        Request.Waitall(requests);
    }

    @Override
    void exchangeWindows(int peer, int window) {
        for (int each = 0; each < window; each++) {
            both[each] = world.Irecv(target, 0, length, MPI.BYTE, peer, dataTag);
        }
        for (int each = 0; each < window; each++) {
            both[window + each] = world.Isend(source, 0, length, MPI.BYTE, peer, dataTag);
        }
        Request.Waitall(both);
    }

    @Override
    void acknowledge(int peer) {
        world.Send(source, 0, ACKNOWLEDGEMENT_BYTES, MPI.BYTE, peer, acknowledgementTag);
    }

    @Override
    void awaitAcknowledgement(int peer) {
        world.Recv(target, 0, ACKNOWLEDGEMENT_BYTES, MPI.BYTE, peer, acknowledgementTag);
    }

    @Override
    void barrier() {
        world.Barrier();
    }

    @Override
    double maximum(double value) {
        mine[0] = value;
        world.Reduce(mine, 0, largest, 0, 1, MPI.DOUBLE, MPI.MAX, 0);
        return largest[0];
    }
}
