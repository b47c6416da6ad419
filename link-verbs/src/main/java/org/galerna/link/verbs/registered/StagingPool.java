package org.galerna.link.verbs.registered;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.galerna.nativeaccess.verbs.MemoryRegion;
import org.galerna.nativeaccess.verbs.ProtectionDomain;
import org.galerna.nativeaccess.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

/**
 * Registered buffers through which memory goes that the adapter cannot reach: arrays, and what the system does not let be
 * locked. Made as they are needed, and given back to the next. The polling thread's alone.
 */
public final class StagingPool implements AutoCloseable {
    /** Of one buffer, which stays in the cache between the copy and the adapter. */
    public static final int BYTES = 64 * 1024;

    private static final int MOST = 64;

    private final ProtectionDomain domain;
    private final Deque<Buffer> free = new ArrayDeque<>();
    private final List<Buffer> made = new ArrayList<>();

    /** A buffer. */
    public record Buffer(MemorySegment memory, MemoryRegion region) {}

    public StagingPool(ProtectionDomain domain) {
        this.domain = domain;
    }

    /**
     * A buffer; null if all are in use.
     *
     * @throws VerbsException if not even one can be had
     */
    @Nullable
    public Buffer take() throws VerbsException {
        if (free.isEmpty() && made.size() < MOST) {
            try {
                return make();
            } catch (VerbsException refused) {
                if (made.isEmpty()) {
                    throw refused;
                }
            }
        }
        return free.pollLast();
    }

    private Buffer make() throws VerbsException {
        MemorySegment memory = Arena.ofAuto().allocate(BYTES, 4096);
        Buffer buffer = new Buffer(memory, domain.register(memory.address(), BYTES));
        made.add(buffer);
        return buffer;
    }

    public void giveBack(Buffer buffer) {
        free.addLast(buffer);
    }

    @Override
    public void close() {
        made.forEach(buffer -> buffer.region.close());
        made.clear();
        free.clear();
    }
}
