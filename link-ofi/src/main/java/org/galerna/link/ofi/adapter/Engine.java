package org.galerna.link.ofi.adapter;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.galerna.link.process.ProcessFence;
import org.galerna.link.transfer.AdapterMemory;
import org.galerna.link.transfer.TransferFrame;
import org.galerna.memory.OwnerLock;
import org.galerna.nativeaccess.ofi.OfiCompletions;
import org.galerna.nativeaccess.ofi.OfiEndpoint;
import org.galerna.nativeaccess.ofi.OfiException;
import org.galerna.nativeaccess.ofi.OfiMemory;
import org.jspecify.annotations.Nullable;

/**
 * The endpoint of a rank, the lock under which it is used, and what is under way. Whoever needs room, credit or messages makes
 * progress; one thread does it at a time, and the others need not wait for it.
 *
 * <p>What peers keep for sending, and the fields of {@link ReceiveBuffers}, are guarded by the lock, too. Nothing inside it calls a
 * handler or a completion of the user's.
 */
public final class Engine implements AutoCloseable {
    /** {@link #begin}: as many operations are under way as there may be. */
    public static final int NO_ROOM = -1;

    /** What the link itself says in a message. */
    static final int WORD_BYTES = 8 + TransferFrame.BYTES;

    private static final int BATCH = 32;
    private static final int MOST_SENDS = 1024;

    private static final VarHandle TAKEN;
    private static final VarHandle LOOKS;

    static {
        try {
            TAKEN = MethodHandles.lookup().findVarHandle(Engine.class, "taken", long.class);
            LOOKS = MethodHandles.lookup().findVarHandle(Engine.class, "looks", long.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    /** Something under way. */
    public interface Operation {
        /**
         * It is over; inside the lock.
         *
         * @param length bytes that were received
         * @param failure why it failed; null if it has not
         */
        void over(int length, @Nullable String failure);
    }

    /** Somebody who sends. */
    public interface Sender {
        /** Sends what is committed, as far as there is room and credit; inside the lock. */
        void push();
    }

    private final OwnerLock lock = new OwnerLock(ProcessFence.instance());
    private final OfiEndpoint endpoint;
    private final Consumer<String> onUnknownFailure;
    private final Consumer<String> onBroken;
    private final OfiCompletions completions = new OfiCompletions(BATCH);
    private final @Nullable Operation[] operations;
    private final MemorySegment contexts;
    private final int[] free; // operations that are not under way
    private int freeCount;
    private final MemorySegment words;
    private final @Nullable OfiMemory wordsMemory;
    private final Deque<Sender> busy = new ArrayDeque<>(); // that the provider had no room for
    private @Nullable ReceiveBuffers buffers;
    private int underWay; // operations but receives
    private boolean closed;

    @SuppressWarnings("UnusedVariable") // read through TAKEN
    private long taken;

    @SuppressWarnings("UnusedVariable") // read through LOOKS
    private long looks;

    /**
     * Nothing is under way.
     *
     * @param receives operations that are taken once, for receives
     * @param onUnknownFailure told that something to a peer has failed, and nobody knows to whom
     * @param onBroken told that nothing works any more
     */
    public Engine(OfiEndpoint endpoint, int receives, Consumer<String> onUnknownFailure, Consumer<String> onBroken)
            throws OfiException {
        this.endpoint = endpoint;
        this.onUnknownFailure = onUnknownFailure;
        this.onBroken = onBroken;
        int size = receives + Math.min(endpoint.sends(), MOST_SENDS);
        this.operations = new Operation[size];
        this.contexts = Arena.ofAuto().allocate((long) size * OfiEndpoint.CONTEXT_BYTES, OfiEndpoint.CONTEXT_BYTES);
        this.words = Arena.ofAuto().allocate((long) size * WORD_BYTES, 4096);
        this.wordsMemory =
                endpoint.needsLocalRegistration() ? endpoint.register(words.address(), words.byteSize()) : null;
        this.free = new int[size];
        while (freeCount < size) {
            free[freeCount] = size - 1 - freeCount;
            freeCount++;
        }
    }

    /** Has the receives posted again that there was no room for. */
    void serve(ReceiveBuffers served) {
        buffers = served;
    }

    public OfiEndpoint endpoint() {
        return endpoint;
    }

    public void lock() {
        lock.lock();
    }

    public void unlock() {
        lock.unlock();
    }

    // ---- operations; inside the lock

    /** Takes the place of an operation that is about to be started; {@link #NO_ROOM} if there is none. */
    public int begin(Operation operation) {
        if (freeCount == 0 || closed) {
            return NO_ROOM;
        }
        int index = free[--freeCount];
        operations[index] = operation;
        underWay++;
        return index;
    }

    /** As {@link #begin}, of a receive, which does not count as something that somebody waits for. */
    int beginReceive(Operation operation) {
        int index = begin(operation);
        if (index != NO_ROOM) {
            underWay--;
        }
        return index;
    }

    /** It was not started. */
    public void cancel(int index) {
        end(index);
        underWay--;
    }

    void cancelReceive(int index) {
        end(index);
    }

    private void end(int index) {
        operations[index] = null;
        free[freeCount++] = index;
    }

    /** The context of an operation. */
    public long context(int index) {
        return contexts.address() + (long) index * OfiEndpoint.CONTEXT_BYTES;
    }

    /** Where in {@link #words} an operation has room for something that the link itself says. */
    public static long wordAt(int index) {
        return (long) index * WORD_BYTES;
    }

    public MemorySegment words() {
        return words;
    }

    public long wordsDescriptor() {
        return wordsMemory == null ? 0 : wordsMemory.descriptor();
    }

    /** The provider has no room for what somebody sends. */
    public void retryLater(Sender sender) {
        busy.addLast(sender);
    }

    public boolean isClosed() {
        return closed;
    }

    // ---- progress

    /** Makes progress and takes completions, unless another thread does; returns their number. */
    public int progress() {
        if (!lock.tryLock()) {
            return 0;
        }
        try {
            return poll();
        } finally {
            lock.unlock();
        }
    }

    /** As {@link #progress}, inside the lock. */
    int poll() {
        if (closed) {
            return 0;
        }
        LOOKS.setOpaque(this, looks + 1);
        int count = endpoint.poll(completions);
        if (count > 0) {
            for (int index = 0; index < count; index++) {
                over(completions.context(index), (int) completions.length(index), null);
            }
        } else if (count == OfiEndpoint.FAILURE) {
            String reason = completions.wasCancelled() ? "it was taken back" : endpoint.describe(completions.failure());
            over(completions.failedContext(), 0, reason);
            count = 1;
        } else if (count < 0) {
            onBroken.accept("libfabric's completion queue cannot be read: " + endpoint.describe(count));
            return 0;
        }
        if (buffers != null) {
            buffers.postAgain();
        }
        if (!busy.isEmpty()) {
            for (int peers = busy.size(); peers > 0; peers--) {
                busy.removeFirst().push();
            }
        }
        if (count > 0) {
            TAKEN.setRelease(this, taken + count); // after what they have changed
        }
        return count;
    }

    private void over(long context, int length, @Nullable String failure) {
        long distance = context - contexts.address();
        int index = (int) (distance / OfiEndpoint.CONTEXT_BYTES);
        Operation operation = distance < 0 || distance >= contexts.byteSize() ? null : operations[index];
        if (operation == null) {
            if (failure != null) {
                onUnknownFailure.accept(failure);
            }
            return;
        }
        if (!(operation instanceof ReceiveBuffers.Slot)) {
            underWay--;
        }
        end(index);
        operation.over(length, failure);
    }

    /** Completions so far; who sees the number sees what they have changed. */
    public long taken() {
        return (long) TAKEN.getAcquire(this);
    }

    /** How often somebody has looked for completions. */
    public long looks() {
        return (long) LOOKS.getOpaque(this);
    }

    /** Whether something is under way that needs progress; a hint. */
    public boolean isBusy() {
        return underWay > 0 || !busy.isEmpty();
    }

    /** Whether a thread may sleep at the endpoint's descriptor. */
    public boolean maySleep() {
        lock.lock();
        try {
            return !closed && endpoint.maySleep();
        } finally {
            lock.unlock();
        }
    }

    // ---- memory

    /** Registers memory outside the heap; not inside the lock. */
    public Registered register(long address, long length) throws IOException {
        lock.lock();
        try {
            if (closed) {
                throw new OfiException("registering memory", "the link is closed");
            }
            return new Registered(endpoint.register(address, length));
        } finally {
            lock.unlock();
        }
    }

    /** Memory that is registered; used and closed outside the lock. */
    public final class Registered implements AdapterMemory {
        private final OfiMemory memory;

        Registered(OfiMemory memory) {
            this.memory = memory;
        }

        @Override
        public long localKey() {
            return memory.descriptor();
        }

        @Override
        public long remoteKey() {
            return memory.key();
        }

        @Override
        public long remoteAddress(long place) {
            return memory.remoteAddress(place);
        }

        @Override
        public long address() {
            return memory.address();
        }

        @Override
        public long length() {
            return memory.length();
        }

        @Override
        public void close() {
            lock.lock();
            try {
                memory.close();
            } finally {
                lock.unlock();
            }
        }
    }

    /** Ends what is under way: the endpoint touches no memory any more, or does so no longer than it is registered. */
    public void stop() {
        lock.lock();
        try {
            closed = true;
            endpoint.stop();
        } finally {
            lock.unlock();
        }
    }

    /** Frees everything; memory that is registered must be closed before. */
    @Override
    public void close() {
        stop();
        lock.lock();
        try {
            if (wordsMemory != null) {
                wordsMemory.close();
            }
            if (buffers != null) {
                buffers.close();
            }
            endpoint.close();
        } finally {
            lock.unlock();
        }
    }
}
