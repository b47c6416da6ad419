package org.galerna.link.ofi.connection;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import org.galerna.link.ofi.adapter.ReceiveBuffers;
import org.galerna.link.ofi.wire.Word;
import org.galerna.link.support.ProtocolException;
import org.galerna.link.transfer.InboundMessages;
import org.jspecify.annotations.Nullable;

/**
 * Messages of one peer that have come and were not handed over yet, by their numbers in the sequence: a provider may deliver them
 * in any order. Added inside the engine's lock, taken by the polling thread.
 *
 * <p>Argument: an entry is null unless there is a message. It is set (release) by who adds it and read (acquire) and cleared by
 * the polling thread; the peer has credit for fewer messages than there are entries, so that nobody sets one that is not null.
 */
final class Inbound extends InboundMessages {
    private static final VarHandle ENTRIES = MethodHandles.arrayElementVarHandle(ReceiveBuffers.Slot[].class);

    private final MemorySegment memory;
    private final ReceiveBuffers.@Nullable Slot[] entries = new ReceiveBuffers.Slot[Word.SEQUENCES];
    private final Deque<ReceiveBuffers.Slot> freed = new ArrayDeque<>(); // of the polling thread, as all that follows
    private int next;
    private ReceiveBuffers.@Nullable Slot slot; // of the message that is open

    Inbound(int peer, MemorySegment memory, int slotBytes) {
        super(peer, slotBytes);
        this.memory = memory;
    }

    /** Adds a message; false if there is one of that number already. */
    boolean add(int sequence, ReceiveBuffers.Slot place) {
        if ((ReceiveBuffers.Slot) ENTRIES.getAcquire(entries, sequence) != null) {
            return false;
        }
        ENTRIES.setRelease(entries, sequence, place);
        return true;
    }

    @Override
    protected boolean hasNext() {
        return (ReceiveBuffers.Slot) ENTRIES.getAcquire(entries, next) != null;
    }

    @Override
    protected boolean next() throws ProtocolException {
        ReceiveBuffers.Slot message = (ReceiveBuffers.Slot) ENTRIES.getAcquire(entries, next);
        if (message == null) {
            return false;
        }
        ENTRIES.setRelease(entries, next, null);
        next = (next + 1) & (Word.SEQUENCES - 1);
        slot = message;
        open(memory, message.offset(), message.length());
        return true;
    }

    @Override
    protected void free() {
        freed.addLast(Objects.requireNonNull(slot));
        slot = null;
    }

    /** Messages that are done with, and whose buffers are not posted again. */
    int freed() {
        return freed.size();
    }

    /** Posts their buffers; inside the engine's lock. */
    void postFreed(ReceiveBuffers buffers) {
        while (!freed.isEmpty()) {
            buffers.post(freed.removeFirst());
        }
    }

    /** Drops what was not handed over. */
    void discard() {
        finish();
        for (int index = 0; index < entries.length; index++) {
            ReceiveBuffers.Slot message = (ReceiveBuffers.Slot) ENTRIES.getAndSet(entries, index, null);
            if (message != null) {
                freed.addLast(message);
            }
        }
    }
}
