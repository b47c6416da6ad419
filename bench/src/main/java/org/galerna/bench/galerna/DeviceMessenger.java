package org.galerna.bench.galerna;

import org.galerna.device.Device;
import org.galerna.device.Request;

/** Messages through a device, below package {@code mpi}. */
final class DeviceMessenger extends Messenger {
    private static final int DATA_TAG = 1;
    private static final int ACKNOWLEDGEMENT_TAG = 2;
    private static final int CONTEXT = 0;

    private final Device device;
    private final SharedMaximum shared;
    private Request[] requests = new Request[0];

    DeviceMessenger(Device device, SharedMaximum shared) {
        this.device = device;
        this.shared = shared;
    }

    @Override
    int rank() {
        return device.rank();
    }

    @Override
    int size() {
        return device.size();
    }

    @Override
    void prepare(int bytes, int window) {
        super.prepare(bytes, window);
        if (requests.length < 2 * window) {
            requests = new Request[2 * window];
        }
    }

    @Override
    void send(int peer) {
        device.send(source, 0, length, peer, DATA_TAG, CONTEXT);
    }

    @Override
    void receive(int peer) {
        device.recv(target, 0, length, peer, DATA_TAG, CONTEXT).release();
    }

    @Override
    void sendWindow(int peer, int window) {
        for (int each = 0; each < window; each++) {
            requests[each] = device.isend(source, 0, length, peer, DATA_TAG, CONTEXT);
        }
        awaitAll(window);
    }

    @Override
    void receiveWindow(int peer, int window) {
        for (int each = 0; each < window; each++) {
            requests[each] = device.irecv(target, 0, length, peer, DATA_TAG, CONTEXT);
        }
        awaitAll(window);
    }

    @Override
    void exchangeWindows(int peer, int window) {
        for (int each = 0; each < window; each++) {
            requests[each] = device.irecv(target, 0, length, peer, DATA_TAG, CONTEXT);
        }
        for (int each = 0; each < window; each++) {
            requests[window + each] = device.isend(source, 0, length, peer, DATA_TAG, CONTEXT);
        }
        awaitAll(2 * window);
    }

    private void awaitAll(int count) {
        for (int each = 0; each < count; each++) {
            requests[each].await();
            requests[each].release();
        }
    }

    @Override
    void acknowledge(int peer) {
        device.send(source, 0, ACKNOWLEDGEMENT_BYTES, peer, ACKNOWLEDGEMENT_TAG, CONTEXT);
    }

    @Override
    void awaitAcknowledgement(int peer) {
        device.recv(target, 0, ACKNOWLEDGEMENT_BYTES, peer, ACKNOWLEDGEMENT_TAG, CONTEXT)
                .release();
    }

    @Override
    double maximum(double value) {
        return shared.over(this, value);
    }
}
