package org.galerna.device.recording;

import org.galerna.device.Device;
import org.galerna.device.ForwardingDevice;
import org.galerna.device.Request;
import org.galerna.device.support.ObservedRequest;
import org.galerna.link.events.FlightEvents;
import org.jspecify.annotations.Nullable;

/** Tells flight recorder of each message. */
final class MessageEventsDevice extends ForwardingDevice {
    MessageEventsDevice(Device device) {
        super(device);
    }

    @Override
    public void send(Object buffer, long offset, long length, int destination, int tag, int context) {
        Object begun = FlightEvents.sendBegins();
        super.send(buffer, offset, length, destination, tag, context);
        FlightEvents.messageEnds(begun, rank(), destination, tag, context, length);
    }

    @Override
    public void ssend(Object buffer, long offset, long length, int destination, int tag, int context) {
        Object begun = FlightEvents.sendBegins();
        super.ssend(buffer, offset, length, destination, tag, context);
        FlightEvents.messageEnds(begun, rank(), destination, tag, context, length);
    }

    @Override
    public Request isend(Object buffer, long offset, long length, int destination, int tag, int context) {
        Object begun = FlightEvents.sendBegins();
        return sent(
                super.isend(buffer, offset, length, destination, tag, context),
                begun,
                destination,
                tag,
                context,
                length);
    }

    @Override
    public Request issend(Object buffer, long offset, long length, int destination, int tag, int context) {
        Object begun = FlightEvents.sendBegins();
        return sent(
                super.issend(buffer, offset, length, destination, tag, context),
                begun,
                destination,
                tag,
                context,
                length);
    }

    private Request sent(Request request, @Nullable Object begun, int destination, int tag, int context, long length) {
        if (begun == null) {
            return request;
        }
        if (request == Request.COMPLETED_SEND) {
            FlightEvents.messageEnds(begun, rank(), destination, tag, context, length);
            return request;
        }
        return new ObservedRequest(request) {
            @Override
            protected void succeeded() {
                FlightEvents.messageEnds(begun, rank(), destination, tag, context, length);
            }
        };
    }

    @Override
    public Request irecv(Object buffer, long offset, long length, int source, int tag, int context) {
        Object begun = FlightEvents.receiveBegins();
        Request request = super.irecv(buffer, offset, length, source, tag, context);
        if (begun == null) {
            return request;
        }
        return new ObservedRequest(request) {
            @Override
            protected void succeeded() {
                received(begun, inner(), context);
            }
        };
    }

    @Override
    public Request recv(Object buffer, long offset, long length, int source, int tag, int context) {
        Object begun = FlightEvents.receiveBegins();
        Request request = super.recv(buffer, offset, length, source, tag, context);
        received(begun, request, context);
        return request;
    }

    @Override
    public @Nullable Request peek(Object buffer, long offset, long length, int source, int tag, int context) {
        Object begun = FlightEvents.receiveBegins();
        Request request = super.peek(buffer, offset, length, source, tag, context);
        if (request == null) {
            return null;
        }
        received(begun, request, context);
        return request;
    }

    private void received(@Nullable Object begun, Request request, int context) {
        FlightEvents.messageEnds(begun, rank(), request.source(), request.tag(), context, request.length());
    }

    @Override
    public int awaitAny(@Nullable Request[] requests) {
        return ObservedRequest.awaitAny(device(), requests);
    }
}
