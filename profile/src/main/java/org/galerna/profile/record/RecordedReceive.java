package org.galerna.profile.record;

import org.galerna.device.Request;
import org.galerna.device.support.ObservedRequest;

/** A receive under way. */
final class RecordedReceive extends ObservedRequest {
    private final RecordingDevice device;
    private final int context;
    private final int sequence;
    private final int poster;
    private final long posted;

    RecordedReceive(Request inner, RecordingDevice device, int context, int sequence, int poster, long posted) {
        super(inner);
        this.device = device;
        this.context = context;
        this.sequence = sequence;
        this.poster = poster;
        this.posted = posted;
    }

    @Override
    protected void succeeded() {
        device.received(inner(), context, sequence, poster, posted);
    }
}
