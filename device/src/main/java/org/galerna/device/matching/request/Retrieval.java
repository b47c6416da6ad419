package org.galerna.device.matching.request;

import java.lang.foreign.MemorySegment;
import org.galerna.device.DeviceException;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of an announced message on their way to this rank before a receive wants them: its sender wants to be done with it,
 * and a probe has found it, so that it cannot be dropped. Guarded by the device's match lock.
 */
public final class Retrieval {
    /** What fetches the bytes. */
    final ReceiveRequest transfer;

    private final MemorySegment bytes;

    /** The receive that has taken the message meanwhile. */
    @Nullable
    public ReceiveRequest receive;

    public Retrieval(ReceiveRequest transfer, MemorySegment bytes) {
        this.transfer = transfer;
        this.bytes = bytes;
    }

    /** Gives the receive the message, or the reason why it has not come; false if it is still on its way. */
    public boolean handOver() {
        ReceiveRequest taker = receive;
        if (taker == null || !transfer.isDone()) {
            return false;
        }
        DeviceException failure = transfer.failure();
        if (failure == null) {
            taker.deliver(transfer.peer, transfer.wanted, bytes, 0, transfer.length);
        } else {
            taker.fail(failure);
        }
        transfer.release();
        return true;
    }
}
