package org.galerna.nativeaccess.verbs;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.galerna.nativeaccess.file.Descriptors;

/** What makes completions something that a thread can sleep for. */
public final class CompletionChannel implements AutoCloseable {
    private static final int CONTEXT = 8;

    private final Adapter adapter;
    private final MemorySegment channel;
    private final int descriptor;
    private final MemorySegment event =
            Arena.ofAuto().allocate(2 * Long.BYTES, 8); // queue and context; guarded by this
    private boolean closed; // guarded by this

    CompletionChannel(Adapter adapter, MemorySegment channel) throws VerbsException {
        this.adapter = adapter;
        this.channel = NativeFunction.sized(channel, VerbsLayout.CHANNEL_BYTES);
        this.descriptor = this.channel.get(JAVA_INT, VerbsLayout.CHANNEL_FD);
        Descriptors.doNotBlock(descriptor);
    }

    MemorySegment address() {
        return channel;
    }

    /** Descriptor that is readable while announcements wait to be taken. */
    public int descriptor() {
        return descriptor;
    }

    /** Takes all announcements that wait; returns their number. Does not block, and allocates nothing. */
    public synchronized int takeAll() {
        int taken = 0;
        while (!closed && take()) {
            taken++;
        }
        return taken;
    }

    private boolean take() {
        VerbsLibrary library = adapter.library();
        try {
            int failure = (int) Operations.GET_EVENT.invokeExact(
                    library.getCompletionEvent, channel.address(), event.address(), event.address() + CONTEXT);
            if (failure != 0) {
                return false;
            }
            Operations.ACKNOWLEDGE_EVENTS.invokeExact(library.acknowledgeCompletionEvents, event.get(JAVA_LONG, 0), 1);
            return true;
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Ends it; the queues that use it must be closed before. Idempotent. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            adapter.library().destroyChannel.ignoringFailure(channel);
        }
    }
}
