package mpjdev;

import mpjbuf.Buffer;
import org.galerna.mpi.object.ObjectReceive;
import org.jspecify.annotations.Nullable;

/** A receive into a {@link Buffer}. Used by one thread at a time. */
final class BufferReceive extends Request {
    private final ObjectReceive message;
    private final Buffer buffer;
    private final Group senders;
    private org.galerna.device.@Nullable Request part;

    BufferReceive(ObjectReceive message, Buffer buffer, Group senders) {
        super(message.first());
        this.message = message;
        this.buffer = buffer;
        this.senders = senders;
        this.part = message.first();
    }

    @Override
    public Status iwait() {
        org.galerna.device.Request current;
        while ((current = part) != null) {
            current.await();
            goOn(current);
        }
        return end();
    }

    @Override
    public @Nullable Status itest() {
        org.galerna.device.Request current;
        while ((current = part) != null) {
            if (!isOver(current)) {
                return null;
            }
            current.throwFailure();
            goOn(current);
        }
        return end();
    }

    private void goOn(org.galerna.device.Request done) {
        part = message.next(done);
        done.release();
        released();
    }

    private Status end() {
        buffer.contents(message.payload());
        return new Status(senders.rankOf(message.source()), message.tag(), 0);
    }

    @Override
    public boolean cancel() {
        return !message.isMatched() && super.cancel();
    }
}
