package org.galerna.device.ucx;

import java.lang.foreign.MemorySegment;
import org.galerna.device.DeviceException;
import org.galerna.device.ErrorClass;
import org.galerna.nativeaccess.ucx.UcxWorker;
import org.jspecify.annotations.Nullable;

/** The bytes of announced messages on their way to this rank. Guarded by the engine's lock. */
final class Fetches {
    /** Why the bytes of a message do not come. */
    enum Failure {
        /** Its sender has freed their memory. */
        FREED,
        /** Its sender has died. */
        SENDER_DIED
    }

    private final Engine engine;
    private final UcxWorker worker;
    private final Operations operations;
    private final Tags tags;

    Fetches(Engine engine, UcxWorker worker, Operations operations) {
        this.engine = engine;
        this.worker = worker;
        this.operations = operations;
        this.tags = engine.tags();
    }

    /** Fetches the bytes of a message into the buffer of its receive. */
    void fetch(Arrival arrival, ReceiveRequest receive) {
        long sent = arrival.length();
        long bytes = receive.taken(sent);
        if (bytes == 0) {
            engine.outbound().control(arrival.source, Control.FETCH, arrival.number(), 0);
            receive.finish(sent, 0);
            return;
        }
        long address = receive.address(bytes);
        MemorySegment piece = address == 0 ? engine.staging().take(bytes) : null;
        start(new Bulk(arrival.source, arrival.number(), sent, bytes, receive, null, piece), address);
    }

    /** Fetches a message that a probe has found, so that its sender is done with it. */
    void keep(Arrival arrival) {
        long bytes = arrival.length();
        if (bytes == 0) {
            engine.outbound().control(arrival.source, Control.FETCH, arrival.number(), 0);
            arrival.kept = engine.staging().take(1);
            return;
        }
        arrival.fetching = true;
        MemorySegment piece = engine.staging().take(bytes);
        start(new Bulk(arrival.source, arrival.number(), bytes, bytes, null, arrival, piece), 0);
    }

    private void start(Bulk bulk, long address) {
        MemorySegment piece = bulk.piece;
        long request = worker.receive(
                piece == null ? address : piece.address(), bulk.bytes, tags.bulk(bulk.source, bulk.number), -1L);
        engine.outbound().control(bulk.source, Control.FETCH, bulk.number, bulk.bytes);
        if (request == 0 || UcxWorker.isError(request)) {
            bulk.completed((int) request);
        } else {
            operations.add(bulk, request);
            if (engine.peer(bulk.source).gone) { // it was not asked, and sends nothing
                lost(bulk.source);
            }
        }
    }

    /** The bytes of an announced message on their way, for a receive or for one that is to come. */
    private final class Bulk extends Operation {
        private final int source;
        private final int number;
        private final long sent;
        private final long bytes;
        private final @Nullable ReceiveRequest receive;
        private final @Nullable Arrival arrival;
        private final @Nullable MemorySegment piece;
        private boolean broken;

        Bulk(
                int source,
                int number,
                long sent,
                long bytes,
                @Nullable ReceiveRequest receive,
                @Nullable Arrival arrival,
                @Nullable MemorySegment piece) {
            this.source = source;
            this.number = number;
            this.sent = sent;
            this.bytes = bytes;
            this.receive = receive;
            this.arrival = arrival;
            this.piece = piece;
        }

        @Override
        int peer() {
            return source;
        }

        @Override
        boolean isReceive() {
            return true;
        }

        @Override
        void completed(int status) {
            Failure failure = broken ? Failure.FREED : status == UcxWorker.OK ? null : Failure.SENDER_DIED;
            if (receive != null) {
                if (failure != null) {
                    fail(receive, source, failure);
                } else if (piece != null) {
                    receive.deliver(piece, sent, bytes);
                } else {
                    receive.finish(sent, bytes);
                }
                give(piece);
            } else if (arrival != null) {
                arrival.fetching = false;
                arrival.failure = failure;
                if (failure == null) {
                    arrival.kept = piece;
                } else {
                    give(piece);
                }
                ReceiveRequest waiting = arrival.receiver;
                if (waiting != null) {
                    arrival.receiver = null;
                    engine.inbound().give(arrival, waiting);
                }
            }
        }
    }

    private void give(@Nullable MemorySegment piece) {
        if (piece != null) {
            engine.staging().give(piece);
        }
    }

    /** Fails a receive whose message has lost its bytes. */
    void fail(ReceiveRequest receive, int source, Failure failure) {
        receive.endWith(
                switch (failure) {
                    case FREED ->
                        new DeviceException(
                                ErrorClass.BUFFER,
                                "rank " + engine.rank() + ": " + receive.operation()
                                        + " cannot complete, because rank " + source
                                        + " has freed the memory of the message");
                    case SENDER_DIED -> engine.senders().unreachable(receive.operation(), source, receive.context);
                });
    }

    /** The bytes of a message do not come, because its sender has freed their memory. */
    void broken(int source, int number) {
        cancel(source, number);
    }

    /** A peer has died; what it was to send does not come. */
    void lost(int source) {
        cancel(source, -1);
    }

    private void cancel(int source, int number) {
        operations.cancel(each -> {
            if (each instanceof Bulk bulk && bulk.source == source && (number < 0 || bulk.number == number)) {
                bulk.broken = number >= 0;
                return true;
            }
            return false;
        });
    }
}
