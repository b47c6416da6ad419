package org.galerna.device.ucx;

import org.galerna.device.support.PendingRequest;
import org.galerna.link.Collective;
import org.jspecify.annotations.Nullable;

/** What sends and receives have in common: an address. */
abstract class UcxRequest extends PendingRequest {
    final Engine engine;
    int peer;
    int tag;
    int context;
    long length;

    UcxRequest(Engine engine) {
        super(engine.loop());
        this.engine = engine;
    }

    @Override
    public final @Nullable Collective collective() {
        return engine.conversations().collective(context, tag);
    }

    /** In the words of the conversation that it is part of, or in those of the device. */
    final String operation(String own) {
        return engine.conversations().operation(context, tag, own);
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
