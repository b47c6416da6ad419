package org.galerna.link.ucx;

import java.lang.foreign.MemorySegment;
import org.galerna.link.Region;
import org.galerna.link.support.KeyedRegion;
import org.galerna.link.support.RegistrationCache;

/** Memory outside the heap that peers reach by UCX. The region of the control link is for this rank itself. */
final class UcxRegion implements Region {
    private final UcxRma rma;
    private final KeyedRegion control;
    private final RegistrationCache.Entry<SharedMemory> entry;
    private final RemoteRegion described;
    private boolean closed; // guarded by this

    UcxRegion(UcxRma rma, KeyedRegion control, RegistrationCache.Entry<SharedMemory> entry, MemorySegment memory) {
        this.rma = rma;
        this.control = control;
        this.entry = entry;
        this.described = new RemoteRegion(
                control.key(),
                memory.address(),
                memory.byteSize(),
                entry.region().key());
    }

    @Override
    public int descriptorBytes() {
        return described.bytes();
    }

    @Override
    public void describe(MemorySegment frame, long at) {
        described.write(frame, at);
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            control.close();
            rma.release(entry);
        }
    }
}
