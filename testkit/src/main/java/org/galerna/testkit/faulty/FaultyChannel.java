package org.galerna.testkit.faulty;

import java.lang.foreign.MemorySegment;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.galerna.link.Channel;

/** Frames to a peer that may be lost, with refusals where there would be room. Publishes nothing early. */
final class FaultyChannel implements Channel {
    private final Channel inner;
    private final Random random;
    private final double pressure;
    private final BooleanSupplier lost;

    FaultyChannel(Channel inner, Random random, double pressure, BooleanSupplier lost) {
        this.inner = inner;
        this.random = random;
        this.pressure = pressure;
        this.lost = lost;
    }

    boolean isOf(Channel other) {
        return inner.equals(other);
    }

    @Override
    public int peer() {
        return inner.peer();
    }

    @Override
    public long claim(int length) {
        if (lost.getAsBoolean()) {
            return CLOSED;
        }
        long claim = inner.claim(length);
        if (claim >= 0 && random.nextDouble() < pressure) {
            inner.abort(claim);
            return BACK_PRESSURE;
        }
        return claim;
    }

    @Override
    public MemorySegment memory() {
        return inner.memory();
    }

    @Override
    public void commit(long claim, int length) {
        inner.commit(claim, length);
    }

    @Override
    public void commit(long claim, int head, Object array, long offset, int length) {
        inner.commit(claim, head, array, offset, length);
    }

    @Override
    public void abort(long claim) {
        inner.abort(claim);
    }

    @Override
    public void flush() {
        inner.flush();
    }

    @Override
    public void close() {
        inner.close();
    }
}
