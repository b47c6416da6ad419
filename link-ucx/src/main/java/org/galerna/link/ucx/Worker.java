package org.galerna.link.ucx;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntConsumer;
import org.galerna.link.support.Frames;
import org.galerna.nativeaccess.memory.RawMemory;
import org.galerna.nativeaccess.ucx.UcxException;
import org.galerna.nativeaccess.ucx.UcxLibrary;
import org.galerna.nativeaccess.ucx.UcxMessages;
import org.galerna.nativeaccess.ucx.UcxWorker;
import org.jspecify.annotations.Nullable;

/**
 * UCX's worker, what has come through it, and what it has under way. It is one thread's at a time: all methods are called by
 * the holder of {@link #lock}, unless they say otherwise.
 */
final class Worker implements AutoCloseable, UcxMessages.Receiver {
    /** Longest message. */
    static final int MESSAGE_BYTES = 16 * 1024;

    private static final long ALIGNMENT = 64;

    /** Messages that wait for somebody who polls at most: peers that send more wait. */
    private static final int MOST_WAITING = 256;

    final ReentrantLock lock = new ReentrantLock();
    final UcxWorker ucx;
    final UcxMessages messages;
    private final Arena arena = Arena.ofShared();
    private final int ranks;
    private final Deque<Arrival> arrived = new ArrayDeque<>();
    private final Deque<Arrival> free = new ArrayDeque<>();
    private final List<Pending> pending = new ArrayList<>();
    private final Queue<Failure> failures = new ConcurrentLinkedQueue<>();
    private long looks;
    private boolean closed;

    /** The way to a peer is broken, for a reason in UCX's words. */
    record Failure(int peer, String reason) {}

    private record Pending(long request, IntConsumer end) {}

    private Worker(int ranks) throws UcxException {
        this.ranks = ranks;
        this.ucx = UcxWorker.openForMemory(
                UcxLibrary.open(), (peer, reason) -> failures.add(new Failure(peer, reason)), ranks, Map.of());
        this.messages = new UcxMessages(ucx, this);
    }

    static Worker open(int ranks) throws UcxException {
        return new Worker(ranks);
    }

    // ---- what comes

    @Override
    public boolean arrived(long address, long length, boolean mayKeep) {
        if (closed || length < Frames.HEADER_BYTES || length > MESSAGE_BYTES) {
            return false; // nobody takes it, or no rank sends such a message
        }
        int word = Frames.word(RawMemory.ALL.get(ValueLayout.JAVA_LONG_UNALIGNED, address));
        if (Word.rank(word) >= ranks) {
            return false;
        }
        Arrival arrival = free.pollLast();
        if (arrival == null) {
            arrival = new Arrival();
        }
        boolean keep = mayKeep && (address & (Long.BYTES - 1)) == 0;
        if (!keep && arrival.copy == 0) {
            arrival.copy = arena.allocate(MESSAGE_BYTES, ALIGNMENT).address();
        }
        if (!keep) {
            MemorySegment.copy(RawMemory.ALL, address, RawMemory.ALL, arrival.copy, length);
        }
        arrival.address = keep ? address : arrival.copy;
        arrival.length = (int) length;
        arrival.word = word;
        arrived.addLast(arrival);
        return keep;
    }

    /** Goes on with whatever is under way; true if a message has come. */
    boolean progress() {
        looks++;
        while (ucx.progress() > 0 && arrived.isEmpty()) {
            // until something has come, or nothing moves
        }
        for (int each = pending.size() - 1; each >= 0; each--) {
            Pending operation = pending.get(each);
            int status = ucx.status(operation.request);
            if (status != UcxWorker.IN_PROGRESS) {
                pending.remove(each);
                ucx.free(operation.request);
                operation.end.accept(status);
            }
        }
        return !arrived.isEmpty();
    }

    /** Whether so much has come that nobody has polled for that no more is to be taken, unless by somebody who polls. */
    boolean isFull() {
        return arrived.size() >= MOST_WAITING;
    }

    /** How often somebody has looked. */
    long looks() {
        return looks;
    }

    /** The next message that has come; null if there is none. */
    @Nullable
    Arrival next() {
        return arrived.pollFirst();
    }

    /** A message has been handed over. */
    void release(Arrival arrival) {
        if (arrival.isKept()) {
            messages.release(arrival.address);
            arrival.address = arrival.copy;
        }
        free.addLast(arrival);
    }

    /** The next way that is broken; null if there is none. Any thread. */
    @Nullable
    Failure nextFailure() {
        return failures.poll();
    }

    boolean hasFailures() {
        return !failures.isEmpty();
    }

    // ---- what is under way

    /** Takes note of an operation, whose end is told its status under the lock: at once, or by {@link #progress}. */
    void begin(long request, IntConsumer end) {
        if (request == 0 || UcxWorker.isError(request)) {
            end.accept((int) request);
        } else {
            pending.add(new Pending(request, end));
        }
    }

    boolean isIdle() {
        return pending.isEmpty();
    }

    boolean isClosed() {
        return closed;
    }

    /** Frees everything; idempotent. Nobody uses it afterwards. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            Arrival left;
            while ((left = arrived.pollFirst()) != null) {
                release(left);
            }
            boolean idle = isIdle();
            pending.forEach(
                    each -> { // those of peers that do not answer
                        ucx.free(each.request);
                        ucx.abandon();
                    });
            pending.clear();
            ucx.close();
            messages.close();
            if (idle) { // else UCX may still write there
                arena.close();
            }
        }
    }
}
