package org.galerna.device.matching.sending;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.galerna.device.matching.frame.FrameLayout;

/**
 * The messages without blocking that follow each other to one peer before the rank makes progress, over a link that calls
 * the system for each flush. Those of a long burst go together. The first ones go at once, because most programs send a
 * few and then compute; only the first one where the burst before was long. Used inside the peer's lock, but for
 * {@link #flush}.
 */
public final class Burst {
    /** Messages that go at once when the burst before was short. */
    private static final int PROMPT = 8;

    /** Bytes that are worth a call. */
    private static final int BATCH_BYTES = 32 * 1024;

    private static final VarHandle HELD;

    static {
        try {
            HELD = MethodHandles.lookup().findVarHandle(Burst.class, "held", boolean.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final Rounds rounds;
    private final Runnable hold;
    private final Runnable flush;
    private int round;
    private int messages;
    private int prompt = PROMPT;
    private int bytes;

    @SuppressWarnings("UnusedVariable") // through HELD
    private boolean held;

    /**
     * Nothing sent yet.
     *
     * @param rounds count how often somebody makes progress, where a burst ends; a racy look: it may end late
     * @param hold is told when a frame is held
     * @param flush sets committed frames moving; called by any thread
     */
    Burst(Rounds rounds, Runnable hold, Runnable flush) {
        this.rounds = rounds;
        this.hold = hold;
        this.flush = flush;
    }

    /**
     * Counts a message whose frame has been committed; true if it is to wait for the next ones.
     *
     * @param length of the message, in bytes
     */
    public boolean holds(int length) {
        if (round != rounds.number()) {
            round = rounds.number();
            prompt = messages > PROMPT ? 1 : PROMPT;
            messages = 0;
            bytes = 0;
        }
        messages++;
        bytes += length + FrameLayout.MESSAGE_COST;
        if (messages <= prompt || bytes >= BATCH_BYTES) {
            bytes = 0;
            return false;
        }
        HELD.setRelease(this, true);
        hold.run();
        return true;
    }

    /** Sends what is held. By any thread, outside the peer's lock too. */
    void flush() {
        if ((boolean) HELD.getAndSet(this, false)) {
            flush.run();
        }
    }
}
