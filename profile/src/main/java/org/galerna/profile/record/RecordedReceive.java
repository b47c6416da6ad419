package org.galerna.profile.record;

import org.galerna.device.Request;
import org.galerna.device.support.ObservedRequest;

/** A receive under way. */
final class RecordedReceive extends ObservedRequest {
    private final RecordingDevice device;
    private final int source;
    private final int tag;
    private final int context;
    private final int sequence;
    private final int poster;
    private final long posted;

    RecordedReceive(
            Request inner,
            RecordingDevice device,
            int source,
            int tag,
            int context,
            int sequence,
            int poster,
            long posted) {
        super(inner);
        this.device = device;
        this.source = source;
        this.tag = tag;
        this.context = context;
        this.sequence = sequence;
        this.poster = poster;
        this.posted = posted;
    }

    @Override
    protected void succeeded() {
        device.received(inner(), context, sequence, poster, posted);
    }

    @Override
    protected void failed() {
        device.missed(inner().failure(), source, tag, context);
    }
}
