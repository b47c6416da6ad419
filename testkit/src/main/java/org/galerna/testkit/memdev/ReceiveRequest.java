package org.galerna.testkit.memdev;

import org.galerna.device.DeviceException;
import org.galerna.device.ErrorClass;
import org.galerna.device.support.Descriptions;
import org.galerna.memory.Buffers;

/** A receive, used again once it is released. */
final class ReceiveRequest extends MemoryRequest implements Queue.Element<ReceiveRequest> {
    private static final Object NONE = new byte[0];

    private final Queue.Links<ReceiveRequest> links = new Queue.Links<>();
    private Object buffer = NONE;
    private long offset;
    private long capacity;
    private int wantedSource;

    ReceiveRequest(MemoryDevice device) {
        super(device);
    }

    @Override
    public Queue.Links<ReceiveRequest> links() {
        return links;
    }

    void start(Object into, long at, long bytes, int source, int withTag, int ofContext) {
        restart();
        buffer = into;
        offset = at;
        capacity = bytes;
        wantedSource = source;
        tag = withTag;
        context = ofContext;
    }

    boolean matches(Message message) {
        return Mailbox.matches(message, wantedSource, tag, context);
    }

    /** Takes the bytes of the message, and ends. */
    void deliver(Message message) {
        long bytes = Math.min(message.length, capacity);
        peer = message.source;
        tag = message.tag;
        length = bytes;
        Object into = buffer;
        buffer = NONE;
        try {
            Buffers.copy(message.bytes(), 0, into, offset, bytes);
        } catch (RuntimeException inaccessible) {
            fail(new DeviceException(
                    ErrorClass.BUFFER,
                    "rank " + device.rank() + ": the buffer of a " + operation() + " cannot be written: "
                            + inaccessible.getMessage(),
                    inaccessible));
            return;
        }
        if (bytes < message.length) {
            fail(DeviceException.truncated(device.rank(), message.source, message.tag, message.length, capacity));
        } else {
            complete();
        }
    }

    @Override
    protected boolean isHopeless(boolean alone) {
        return device.nobodySends(wantedSource, context, alone) && device.isPosted(this);
    }

    @Override
    public void failIfInVain() {
        failIfHopeless(false);
    }

    @Override
    public void failIfAlone() {
        failIfHopeless(true);
    }

    private void failIfHopeless(boolean alone) {
        if (device.nobodySends(wantedSource, context, alone) && device.withdraw(this)) {
            fail(device.senders().unreachable(operation(), wantedSource, context));
        }
    }

    @Override
    public boolean cancel() {
        if (device.withdraw(this)) {
            completeCancelled();
            device.wakeUp();
        }
        return isCancelled();
    }

    @Override
    public void askToCancel() {
        cancel();
    }

    @Override
    public void release() {
        requireDone();
        markReleased();
        device.giveBack(this);
    }

    @Override
    public String operation() {
        return operation(Descriptions.receive("receive", wantedSource, tag));
    }

    @Override
    public int awaitedPeer() {
        return wantedSource;
    }
}
