package org.galerna.profile.record;

import org.galerna.device.Request;
import org.galerna.device.support.ObservedRequest;

/** A send under way. */
final class RecordedSend extends ObservedRequest {
    private final Recorder recorder;
    private final MessageEnd end;

    RecordedSend(Request inner, Recorder recorder, MessageEnd end) {
        super(inner);
        this.recorder = recorder;
        this.end = end;
    }

    @Override
    protected void succeeded() {
        recorder.ends(end);
    }
}
