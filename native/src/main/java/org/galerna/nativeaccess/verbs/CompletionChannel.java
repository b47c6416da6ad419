package org.galerna.nativeaccess.verbs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.galerna.nativeaccess.Descriptors;

/** What makes completions something that a thread can sleep for. */
public final class CompletionChannel implements AutoCloseable {
    private final Adapter adapter;
    private final MemorySegment channel;
    private final int descriptor;
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

    /** Takes all announcements that wait; returns their number. Does not block. */
    public synchronized int takeAll() {
        if (closed) {
            return 0;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment queue = arena.allocate(ADDRESS);
            MemorySegment context = arena.allocate(ADDRESS);
            int taken = 0;
            while (adapter.library().getCompletionEvent.errnoOf(channel, queue, context) == 0) {
                adapter.library().acknowledgeCompletionEvents.ignoringFailure(queue.get(ADDRESS, 0), 1);
                taken++;
            }
            return taken;
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
