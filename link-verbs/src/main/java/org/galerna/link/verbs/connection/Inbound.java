package org.galerna.link.verbs.connection;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.galerna.link.support.ProtocolException;
import org.galerna.link.transfer.InboundMessages;
import org.galerna.link.verbs.adapter.ReceivePool;
import org.galerna.link.verbs.adapter.Sizes;
import org.galerna.nativeaccess.verbs.ReceiveRequests;
import org.galerna.nativeaccess.verbs.VerbsException;

/**
 * Messages of one peer that have come and were not handed over yet: their places in the {@link ReceivePool}. Added by the
 * poller of completions, taken by the polling thread.
 *
 * <p>Argument: an entry is written before {@code tail} (release) and read after it (acquire); it is overwritten only after
 * {@code head} has passed it (release, acquire).
 */
public final class Inbound extends InboundMessages {
    private static final VarHandle TAIL;
    private static final VarHandle HEAD;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            TAIL = lookup.findVarHandle(Inbound.class, "tail", long.class);
            HEAD = lookup.findVarHandle(Inbound.class, "head", long.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final ReceivePool pool;
    private final int batch;
    private final long[] entries;
    private final int mask;
    private long tail;
    private long head;

    // of the polling thread
    private int slot; // of the message that is open
    private int freed;
    private int freedFirst = ReceiveRequests.END;

    public Inbound(int peer, ReceivePool pool, Sizes sizes) {
        super(peer, sizes.slotBytes());
        this.pool = pool;
        this.batch = sizes.receiveBatch();
        this.entries = new long[Integer.highestOneBit(2 * sizes.receives() - 1)];
        this.mask = entries.length - 1;
    }

    /** Adds a message; false if there are more than there may be. */
    public boolean add(int place, int length) {
        long position = tail;
        if (position - (long) HEAD.getAcquire(this) > mask) {
            return false;
        }
        entries[(int) position & mask] = ((long) place << 32) | length;
        TAIL.setRelease(this, position + 1);
        return true;
    }

    @Override
    protected boolean hasNext() {
        return head != (long) TAIL.getAcquire(this);
    }

    @Override
    protected boolean next() throws ProtocolException {
        if (!hasNext()) {
            return false;
        }
        long entry = entries[(int) head & mask];
        slot = (int) (entry >>> 32);
        HEAD.setRelease(this, head + 1);
        open(pool.memory(slot), pool.offset(slot), (int) entry);
        return true;
    }

    @Override
    protected void free() {
        freedFirst = pool.chain(slot, freedFirst);
        freed++;
    }

    /**
     * Posts the receives of messages that are done with, once there are as many as are worth a call; their number. The sender
     * has no credit for those that wait.
     */
    int postFreed() throws VerbsException {
        return freed < batch ? 0 : post();
    }

    private int post() throws VerbsException {
        int count = freed;
        if (count > 0) {
            freed = 0;
            int first = freedFirst;
            freedFirst = ReceiveRequests.END;
            pool.post(first);
        }
        return count;
    }

    /** Drops what was not handed over and posts all receives: they are everybody's. Nothing may be added any more. */
    void discard() throws VerbsException {
        finish();
        for (long end = (long) TAIL.getAcquire(this); head != end; head++) {
            slot = (int) (entries[(int) head & mask] >>> 32);
            free();
        }
        post();
    }
}
