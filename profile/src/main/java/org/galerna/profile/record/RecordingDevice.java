package org.galerna.profile.record;

import org.galerna.device.Device;
import org.galerna.device.DeviceException;
import org.galerna.device.ErrorClass;
import org.galerna.device.ForwardingDevice;
import org.galerna.device.RankList;
import org.galerna.device.Request;
import org.galerna.device.support.ObservedRequest;
import org.galerna.mpi.session.Session;
import org.jspecify.annotations.Nullable;

/** Tells a recorder of each message. */
final class RecordingDevice extends ForwardingDevice {
    private final Recorder recorder;

    RecordingDevice(Device device, Recorder recorder) {
        super(device);
        this.recorder = recorder;
    }

    @Override
    public void send(Object buffer, long offset, long length, int destination, int tag, int context) {
        super.send(buffer, offset, length, destination, tag, context);
        recorder.sends(destination, tag, context, length);
    }

    @Override
    public void ssend(Object buffer, long offset, long length, int destination, int tag, int context) {
        super.ssend(buffer, offset, length, destination, tag, context);
        recorder.sends(destination, tag, context, length);
    }

    @Override
    public Request isend(Object buffer, long offset, long length, int destination, int tag, int context) {
        return sent(super.isend(buffer, offset, length, destination, tag, context), length, destination, tag, context);
    }

    @Override
    public Request issend(Object buffer, long offset, long length, int destination, int tag, int context) {
        return sent(super.issend(buffer, offset, length, destination, tag, context), length, destination, tag, context);
    }

    private Request sent(Request request, long length, int destination, int tag, int context) {
        if (request == Request.COMPLETED_SEND) {
            recorder.sends(destination, tag, context, length);
            return request;
        }
        MessageEnd end = recorder.begins(destination, tag, context, length);
        return end == null ? request : new RecordedSend(request, recorder, end, context);
    }

    @Override
    public Request irecv(Object buffer, long offset, long length, int source, int tag, int context) {
        if (!isOfProgram(context)) {
            return super.irecv(buffer, offset, length, source, tag, context);
        }
        long begun = recorder.begun();
        Request request = super.irecv(buffer, offset, length, source, tag, context);
        int sequence = isOneSender(source, tag) ? recorder.posts(source, tag, context, begun) : Sequences.LATER;
        return new RecordedReceive(request, this, source, tag, context, sequence, recorder.thread(), begun);
    }

    private static boolean isOneSender(int source, int tag) {
        return source != ANY_SOURCE && tag != ANY_TAG;
    }

    @Override
    public Request recv(Object buffer, long offset, long length, int source, int tag, int context) {
        Request request;
        try {
            request = super.recv(buffer, offset, length, source, tag, context);
        } catch (DeviceException failure) {
            if (isOfProgram(context)) {
                missed(failure, source, tag, context);
            }
            throw failure;
        }
        received(request, context);
        return request;
    }

    @Override
    public @Nullable Request peek(Object buffer, long offset, long length, int source, int tag, int context) {
        Request request = super.peek(buffer, offset, length, source, tag, context);
        if (request != null) {
            received(request, context);
        }
        return request;
    }

    private static boolean isOfProgram(int context) {
        return context % Session.CONTEXTS_PER_COMMUNICATOR == Session.MESSAGES;
    }

    private void received(Request request, int context) {
        if (isOfProgram(context)) {
            recorder.receives(request.source(), request.tag(), context, request.length());
        }
    }

    /** A receive is done that was posted before. */
    void received(Request request, int context, int sequence, int poster, long posted) {
        recorder.receives(poster, posted, sequence, request.source(), request.tag(), context, request.length());
    }

    /**
     * A receive has failed, or was cancelled.
     *
     * @param failure null if it was cancelled
     */
    void missed(@Nullable DeviceException failure, int source, int tag, int context) {
        if (isOneSender(source, tag)) {
            recorder.receiveMissed(source, tag, context);
        } else if (failure != null && failure.errorClass() == ErrorClass.TRUNCATE) {
            recorder.receiveMissedAny();
        }
    }

    @Override
    public void senders(int context, RankList ranks) {
        super.senders(context, ranks);
        if (isOfProgram(context)) {
            recorder.communicator(context, ranks.toArray());
        }
    }

    @Override
    public int awaitAny(@Nullable Request[] requests) {
        return ObservedRequest.awaitAny(device(), requests);
    }

    @Override
    public void close() {
        try {
            super.close();
        } finally {
            recorder.write(true);
        }
    }
}
