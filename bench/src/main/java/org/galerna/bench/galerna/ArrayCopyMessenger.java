package org.galerna.bench.galerna;

import java.util.Optional;
import org.galerna.bench.suite.Command;

/** One thread that copies an array: what a message costs at least if one core copies it once. Rank 1 does nothing. */
final class ArrayCopyMessenger extends Messenger {
    private static final int LEAST_BYTES = 1024;

    private final int rank;

    ArrayCopyMessenger(int rank) {
        this.rank = rank;
    }

    @Override
    int rank() {
        return rank;
    }

    @Override
    int size() {
        return 2;
    }

    @Override
    Optional<String> objection(Command command) {
        if (!command.benchmark().endsWith("latency") && !command.benchmark().equals("bandwidth")) {
            return Optional.of("a copy has a latency and a bandwidth alone");
        }
        return command.bytes() >= LEAST_BYTES
                ? Optional.empty()
                : Optional.of("below " + LEAST_BYTES + " bytes a message costs more than its copy");
    }

    @Override
    void send(int peer) {
        copy();
    }

    @Override
    void receive(int peer) {
        copy();
    }

    @Override
    void sendWindow(int peer, int window) {
        for (int each = 0; each < window; each++) {
            copy();
        }
    }

    @Override
    void receiveWindow(int peer, int window) {
        // rank 0 has put it there
    }

    @Override
    void exchangeWindows(int peer, int window) {
        sendWindow(peer, window);
    }

    @Override
    void acknowledge(int peer) {
        // the copy is there when it is made
    }

    @Override
    void awaitAcknowledgement(int peer) {
        // the copy is there when it is made
    }

    @Override
    double maximum(double value) {
        return value;
    }

    private void copy() {
        if (rank == 0) {
            System.arraycopy(source, 0, target, 0, length);
        }
    }
}
