package org.galerna.microbench;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.galerna.memory.MpscProducer;
import org.galerna.memory.RecordConsumer;
import org.galerna.memory.RecordProducer;
import org.galerna.memory.RecordRing;
import org.galerna.memory.SpscProducer;
import org.openjdk.jmh.infra.Control;

/** A ring as large as between two ranks, a producer that copies records of one length into it, and its consumer. */
final class Pipe {
    private static final int SLOTS = 1024;
    private static final int DATA_BYTES = 256 * 1024;

    private final MemorySegment memory;
    private final RecordProducer producer;
    private final RecordConsumer consumer;
    private final int length;
    private final Bytes sent;
    private final Bytes received;

    private Pipe(RecordRing ring, RecordProducer producer, int length) {
        this.memory = ring.memory();
        this.producer = producer;
        this.consumer = new RecordConsumer(ring);
        this.length = length;
        this.sent = new Bytes(length);
        this.received = new Bytes(length);
    }

    static Pipe spsc(int length) {
        RecordRing ring = ring();
        return new Pipe(ring, new SpscProducer(ring), length);
    }

    static Pipe mpsc(int length) {
        RecordRing ring = ring();
        return new Pipe(ring, new MpscProducer(ring), length);
    }

    private static RecordRing ring() {
        MemorySegment memory = Arena.ofAuto().allocate(RecordRing.bytes(SLOTS, DATA_BYTES), 128);
        return RecordRing.create(memory, SLOTS, DATA_BYTES);
    }

    /** Sends a record; false if there is no room. */
    boolean offer() {
        long claim = producer.claim(length);
        if (claim < 0) {
            return false;
        }
        sent.copyTo(memory, RecordProducer.offset(claim));
        producer.commit(claim, length);
        return true;
    }

    /** Receives a record; false if there is none. */
    boolean take() {
        int bytes = consumer.poll();
        if (bytes < 0) {
            return false;
        }
        received.copyFrom(memory, consumer.offset(), bytes);
        consumer.release();
        return true;
    }

    /** Sends a record when there is room; gives up when the iteration ends. */
    void send(Control control) {
        while (!offer()) {
            if (control.stopMeasurement) {
                return;
            }
            Thread.onSpinWait();
        }
    }

    /** Receives a record when there is one; gives up when the iteration ends. */
    void receive(Control control) {
        while (!take()) {
            if (control.stopMeasurement) {
                return;
            }
        }
    }

    void drain() {
        while (take()) {
            // what is left of the iteration before
        }
    }
}
