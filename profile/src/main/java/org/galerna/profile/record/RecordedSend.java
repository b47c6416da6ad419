package org.galerna.profile.record;

import org.galerna.device.Request;
import org.galerna.device.support.ObservedRequest;

/** A send under way. */
final class RecordedSend extends ObservedRequest {
    private final Recorder recorder;
    private final MessageEnd end;
    private final int context;

    RecordedSend(Request inner, Recorder recorder, MessageEnd end, int context) {
        super(inner);
        this.recorder = recorder;
        this.end = end;
        this.context = context;
    }

    @Override
    protected void succeeded() {
        recorder.ends(end);
    }

    @Override
    protected void failed() {
        recorder.sendMissed(end.peer, end.tag, context);
    }
}
