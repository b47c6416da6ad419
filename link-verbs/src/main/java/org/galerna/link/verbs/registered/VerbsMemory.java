package org.galerna.link.verbs.registered;

import org.galerna.link.transfer.AdapterMemory;
import org.galerna.nativeaccess.verbs.MemoryRegion;
import org.galerna.nativeaccess.verbs.ProtectionDomain;
import org.galerna.nativeaccess.verbs.VerbsException;

/** Memory that is registered with a protection domain. */
public final class VerbsMemory implements AdapterMemory {
    private final MemoryRegion region;

    private VerbsMemory(MemoryRegion region) {
        this.region = region;
    }

    public static VerbsMemory register(ProtectionDomain domain, long address, long length) throws VerbsException {
        return new VerbsMemory(domain.register(address, length));
    }

    @Override
    public long address() {
        return region.address();
    }

    @Override
    public long length() {
        return region.length();
    }

    @Override
    public long localKey() {
        return region.localKey();
    }

    @Override
    public long remoteKey() {
        return region.remoteKey();
    }

    @Override
    public void close() {
        region.close();
    }
}
