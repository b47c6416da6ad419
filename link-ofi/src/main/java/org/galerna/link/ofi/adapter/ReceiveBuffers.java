package org.galerna.link.ofi.adapter;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.galerna.nativeaccess.ofi.OfiEndpoint;
import org.galerna.nativeaccess.ofi.OfiException;
import org.galerna.nativeaccess.ofi.OfiMemory;
import org.jspecify.annotations.Nullable;

/** Buffers for messages of all peers, posted with the endpoint while they are free. Guarded by the engine's lock. */
public final class ReceiveBuffers {
    private final Engine engine;
    private final int slotBytes;
    private final MemorySegment memory;
    private final @Nullable OfiMemory registered;
    private final Consumer<Slot> onArrival;
    private final Deque<Slot> unposted = new ArrayDeque<>();

    /**
     * Posts all of them.
     *
     * @param onArrival told of each message
     */
    public ReceiveBuffers(Engine engine, Sizes sizes, Consumer<Slot> onArrival) throws OfiException {
        this.engine = engine;
        this.slotBytes = sizes.slotBytes();
        this.onArrival = onArrival;
        this.memory = Arena.ofAuto().allocate((long) sizes.receives() * slotBytes, 4096);
        OfiEndpoint endpoint = engine.endpoint();
        this.registered =
                endpoint.needsLocalRegistration() ? endpoint.register(memory.address(), memory.byteSize()) : null;
        engine.serve(this);
        for (int number = 0; number < sizes.receives(); number++) {
            post(new Slot((long) number * slotBytes));
        }
    }

    /** One buffer. */
    public final class Slot implements Engine.Operation {
        private final long offset;
        private int length;

        Slot(long offset) {
            this.offset = offset;
        }

        /** Where its message begins. */
        public long offset() {
            return offset;
        }

        /** Bytes of its message. */
        public int length() {
            return length;
        }

        @Override
        public void over(int bytes, @Nullable String failure) {
            if (failure == null) {
                length = bytes;
                onArrival.accept(this);
            } else {
                post(this); // a message that was cut off, or none
            }
        }
    }

    public MemorySegment memory() {
        return memory;
    }

    /** Posts a buffer, or remembers to. */
    public void post(Slot slot) {
        if (!unposted.isEmpty() || !tryPost(slot)) {
            unposted.addLast(slot);
        }
    }

    /** Posts what the endpoint had no room for. */
    void postAgain() {
        while (!unposted.isEmpty() && tryPost(unposted.getFirst())) {
            unposted.removeFirst();
        }
    }

    private boolean tryPost(Slot slot) {
        int index = engine.beginReceive(slot);
        if (index == Engine.NO_ROOM) {
            return false;
        }
        int status = engine.endpoint()
                .receive(
                        memory.address() + slot.offset,
                        slotBytes,
                        registered == null ? 0 : registered.descriptor(),
                        engine.context(index));
        if (status != 0) {
            engine.cancelReceive(index);
        }
        return status == 0;
    }

    /** Lets the memory go; before the engine is closed, in its lock. */
    void close() {
        if (registered != null) {
            registered.close();
        }
    }
}
