package org.galerna.link.verbs;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.galerna.nativeaccess.verbs.MemoryRegion;
import org.galerna.nativeaccess.verbs.ProtectionDomain;
import org.galerna.nativeaccess.verbs.VerbsException;

/**
 * A number in registered memory with no meaning. Peers write no bytes to it, to have the end of earlier sends reported, and read
 * it behind their writes, which are in memory once the read is over.
 */
final class FlushTarget implements AutoCloseable {
    static final int BYTES = Long.BYTES;

    private static final int PAGE = 4096;

    private final MemorySegment memory = Arena.ofAuto().allocate(PAGE, PAGE);
    private final MemoryRegion region;

    FlushTarget(ProtectionDomain domain) throws VerbsException {
        this.region = domain.register(memory.address(), PAGE);
    }

    long address() {
        return memory.address();
    }

    int remoteKey() {
        return region.remoteKey();
    }

    @Override
    public void close() {
        region.close();
    }
}
