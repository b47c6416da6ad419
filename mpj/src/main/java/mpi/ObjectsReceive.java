package mpi;

import org.galerna.mpi.object.ObjectReceive;
import org.jspecify.annotations.Nullable;

/** A receive of objects. */
final class ObjectsReceive extends Stage {
    private final ObjectReceive message;
    private final Datatype datatype;
    private final @Nullable Object[] buffer;
    private final int offset;
    private final int count;

    /** Whether the program has tried to cancel it, so that it must end whatever the sender does. */
    private boolean hastened;

    ObjectsReceive(ObjectReceive message, Datatype datatype, @Nullable Object[] buffer, int offset, int count) {
        this.message = message;
        this.datatype = datatype;
        this.buffer = buffer;
        this.offset = offset;
        this.count = count;
    }

    @Override
    org.galerna.device.@Nullable Request next(org.galerna.device.Request done) {
        org.galerna.device.Request rest = message.next(done);
        if (hastened && rest != null) {
            rest.hasten();
        }
        return rest;
    }

    @Override
    Status finish(Comm comm) {
        message.store(datatype.layout, buffer, offset, count);
        return Status.ofObjects(comm.rankOf(message.source()), message.tag(), message.objects());
    }

    @Override
    void cancel(org.galerna.device.Request operation) {
        hastened = true;
        if (message.isMatched()) {
            operation.hasten();
        } else {
            operation.askToCancel();
        }
    }
}
