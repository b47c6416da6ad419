package org.galerna.link.verbs.registered;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.galerna.nativeaccess.verbs.MemoryRegion;
import org.galerna.nativeaccess.verbs.ProtectionDomain;
import org.galerna.nativeaccess.verbs.VerbsException;

/**
 * A number in registered memory with no meaning. Peers write no bytes to it, to have the end of earlier sends reported, and read
 * it behind their writes, which are in memory once the read is over.
 */
public final class FlushTarget implements AutoCloseable {
    public static final int BYTES = Long.BYTES;

    private static final int PAGE = 4096;

    private final MemorySegment memory = Arena.ofAuto().allocate(PAGE, PAGE);
    private final MemoryRegion region;

    public FlushTarget(ProtectionDomain domain) throws VerbsException {
        this.region = domain.register(memory.address(), PAGE);
    }

    public long address() {
        return memory.address();
    }

    public int remoteKey() {
        return region.remoteKey();
    }

    @Override
    public void close() {
        region.close();
    }
}
