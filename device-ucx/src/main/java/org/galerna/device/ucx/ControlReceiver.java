package org.galerna.device.ucx;

import org.galerna.nativeaccess.ucx.UcxWorker;

/** Receives the {@linkplain Control control messages} of other ranks' devices, one after the other. Guarded by the engine's lock. */
final class ControlReceiver {
    private final Engine engine;
    private final UcxWorker worker;
    private final Operations operations;
    private final Tags tags;
    private long memory; // where the next one is put
    private boolean closed;

    ControlReceiver(Engine engine, UcxWorker worker, Operations operations) {
        this.engine = engine;
        this.worker = worker;
        this.operations = operations;
        this.tags = engine.tags();
    }

    void listen() {
        memory = engine.slots().take();
        next();
    }

    private void next() {
        while (!closed) {
            long request = worker.receive(memory, Control.BYTES, tags.control(0), tags.controlMask());
            if (request != 0) {
                operations.add(new Next(), request);
                return;
            }
            handle();
        }
    }

    /** The next message. */
    private final class Next extends Operation {
        @Override
        int peer() {
            return -1;
        }

        @Override
        boolean isReceive() {
            return true;
        }

        @Override
        void completed(int status) {
            if (status == UcxWorker.OK) {
                handle();
            }
            next();
        }
    }

    private void handle() {
        int source = Control.source(memory);
        engine.meet(engine.peer(source));
        int number = Control.number(memory);
        long value = Control.value(memory);
        switch (Control.operation(memory)) {
            case Control.CREDIT -> engine.peer(source).giveCredit(value);
            case Control.FETCH -> engine.outbound().fetched(source, number, value);
            case Control.MATCHED -> engine.outbound().matched(source, number);
            case Control.CANCEL -> engine.inbound().unexpected().cancel(source, number, (int) value);
            case Control.KEEP -> engine.inbound().unexpected().keep(source, number, (int) value);
            case Control.CANCELLED -> engine.outbound().cancelled(source, number);
            case Control.BROKEN -> engine.inbound().fetches().broken(source, number);
            case Control.LEAVING -> engine.departures().receivesNoMore(source, true);
            case Control.GONE -> engine.departures().left(source);
            case Control.SEEN -> engine.peer(source).owesAnswer = false;
            default -> throw new IllegalStateException("rank " + source + " runs another version of Galerna");
        }
    }

    /** Receives no more. */
    void close() {
        closed = true;
    }
}
