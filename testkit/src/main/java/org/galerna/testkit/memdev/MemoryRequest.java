package org.galerna.testkit.memdev;

import org.galerna.device.support.PendingRequest;
import org.galerna.link.Collective;
import org.jspecify.annotations.Nullable;

/** What sends and receives have in common: an address. */
abstract class MemoryRequest extends PendingRequest {
    final MemoryDevice device;
    int peer;
    int tag;
    int context;
    long length;

    MemoryRequest(MemoryDevice device) {
        super(device.progress());
        this.device = device;
    }

    @Override
    public final @Nullable Collective collective() {
        return device.conversations().collective(context, tag);
    }

    /** In the words of the conversation that it is part of, or in those of the device. */
    final String operation(String own) {
        return device.conversations().operation(context, tag, own);
    }

    @Override
    public final int source() {
        return peer;
    }

    @Override
    public final int tag() {
        return tag;
    }

    @Override
    public final long length() {
        return length;
    }
}
