package org.galerna.link.verbs;

import java.lang.foreign.MemorySegment;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.galerna.link.Channel;
import org.galerna.link.support.Frames;
import org.galerna.link.support.SendRing;
import org.galerna.link.verbs.connection.CompletionPoller;
import org.galerna.link.verbs.connection.Connection;
import org.galerna.link.verbs.connection.SendQueue;

/** Frames to a peer: claimed in the ring of the connection to it. */
final class VerbsChannel implements Channel {
    private final Connection connection;
    private final CompletionPoller completions;
    private final BooleanSupplier stopped;
    private final Consumer<Channel> forget;
    private final SendQueue sends;
    private final SendRing ring;
    private final MemorySegment memory;
    private final int maximumFrame;
    private volatile boolean closed;

    VerbsChannel(
            Connection connection,
            CompletionPoller completions,
            int maximumFrame,
            BooleanSupplier stopped,
            Consumer<Channel> forget) {
        this.connection = connection;
        this.completions = completions;
        this.stopped = stopped;
        this.forget = forget;
        this.sends = connection.sends();
        this.ring = sends.ring();
        this.memory = ring.memory();
        this.maximumFrame = maximumFrame;
    }

    @Override
    public int peer() {
        return connection.peer();
    }

    @Override
    public long claim(int length) {
        if (length > maximumFrame) {
            return TOO_LONG;
        }
        if (!connection.isUp() || closed || stopped.getAsBoolean()) {
            return closed || stopped.getAsBoolean() || connection.state() == Connection.State.GONE
                    ? CLOSED
                    : BACK_PRESSURE;
        }
        long claim = ring.claim(length);
        if (claim == BACK_PRESSURE) { // who claims on many threads cannot poll on each of them
            completions.take();
            sends.reclaim();
            claim = ring.claim(length);
        }
        return claim;
    }

    @Override
    public MemorySegment memory() {
        return memory;
    }

    @Override
    public void commit(long claim, int length) {
        ring.commit(claim, length, Frames.FRAME);
    }

    @Override
    public void abort(long claim) {
        ring.abort(claim);
    }

    @Override
    public void flush() {
        sends.flush();
        if (sends.isBlocked()) { // who only sends has nobody else who takes its credit
            completions.take();
            sends.flush();
        }
    }

    @Override
    public void close() {
        closed = true;
        sends.flush();
        forget.accept(this);
    }
}
