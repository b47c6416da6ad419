package org.galerna.profile.record;

import org.galerna.device.Request;

/** A send under way. */
final class RecordedSend extends RecordedRequest {
    private final Recorder recorder;
    private final MessageEnd end;

    RecordedSend(Request inner, Recorder recorder, MessageEnd end) {
        super(inner);
        this.recorder = recorder;
        this.end = end;
    }

    @Override
    void succeeded() {
        recorder.ends(end);
    }
}
