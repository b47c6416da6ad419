package mpi;

import org.galerna.mpj.ObjectReceive;
import org.jspecify.annotations.Nullable;

/** A receive of objects. */
final class ObjectsReceive extends Stage {
    private final ObjectReceive message;
    private final Datatype datatype;
    private final @Nullable Object[] buffer;
    private final int offset;
    private final int count;

    ObjectsReceive(ObjectReceive message, Datatype datatype, @Nullable Object[] buffer, int offset, int count) {
        this.message = message;
        this.datatype = datatype;
        this.buffer = buffer;
        this.offset = offset;
        this.count = count;
    }

    @Override
    org.galerna.device.@Nullable Request next(org.galerna.device.Request done) {
        return message.next(done);
    }

    @Override
    Status finish(Comm comm) {
        message.store(datatype.layout, buffer, offset, count);
        return Status.ofObjects(comm.rankOf(message.source()), message.tag(), message.objects());
    }

    @Override
    boolean isCancellable() {
        return !message.isMatched();
    }
}
