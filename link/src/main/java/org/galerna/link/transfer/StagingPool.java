package org.galerna.link.transfer;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.galerna.link.support.RegistrationCache;
import org.jspecify.annotations.Nullable;

/**
 * Registered buffers through which memory goes that the network cannot reach: arrays, and what cannot be registered. Made as they
 * are needed, and given back to the next. The polling thread's alone.
 */
public final class StagingPool implements AutoCloseable {
    /** Of one buffer, which stays in the cache between the copy and the network. */
    public static final int BYTES = 64 * 1024;

    private static final int MOST = 64;

    private final RegistrationCache.Registrar<AdapterMemory> registrar;
    private final Runnable allocation;
    private final Deque<Buffer> free = new ArrayDeque<>();
    private final List<Buffer> made = new ArrayList<>();

    /** A buffer. */
    public record Buffer(MemorySegment memory, AdapterMemory registered) {}

    StagingPool(RegistrationCache.Registrar<AdapterMemory> registrar, Runnable allocation) {
        this.registrar = registrar;
        this.allocation = allocation;
    }

    /**
     * A buffer; null if all are in use.
     *
     * @throws IOException if not even one can be had
     */
    @Nullable
    public Buffer take() throws IOException {
        if (free.isEmpty() && made.size() < MOST) {
            try {
                return make();
            } catch (IOException refused) {
                if (made.isEmpty()) {
                    throw refused;
                }
            }
        }
        return free.pollLast();
    }

    private Buffer make() throws IOException {
        MemorySegment memory = Arena.ofAuto().allocate(BYTES, 4096);
        Buffer buffer = new Buffer(memory, registrar.register(memory.address(), BYTES));
        made.add(buffer);
        allocation.run();
        return buffer;
    }

    public void giveBack(Buffer buffer) {
        free.addLast(buffer);
    }

    @Override
    public void close() {
        made.forEach(buffer -> buffer.registered.close());
        made.clear();
        free.clear();
    }
}
