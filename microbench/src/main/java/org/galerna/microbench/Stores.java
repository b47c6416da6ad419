package org.galerna.microbench;

import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * What a thread has stored before it locks or fences. The store of a message goes to a line that another core has had: it
 * waits in the store buffer while the thread goes on, unless an instruction waits for it.
 */
@State(Scope.Thread)
public class Stores {
    private static final int MEMORY_BYTES = 128 << 20;

    /** Whether the stores go to lines that are not in the cache. */
    @Param({"false", "true"})
    public boolean storeMisses;

    private byte[] memory;
    private int random = 1;

    /** The memory, far larger than the caches if they are to be missed. */
    @Setup
    public void create() {
        memory = new byte[storeMisses ? MEMORY_BYTES : 64];
    }

    /** Stores once. */
    public void store() {
        random = random * 1664525 + 1013904223; // no stride that the processor could foresee
        memory[(random >>> 3) & (memory.length - 1)] = (byte) random;
    }
}
