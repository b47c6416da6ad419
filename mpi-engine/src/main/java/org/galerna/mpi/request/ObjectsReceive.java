package org.galerna.mpi.request;

import org.galerna.device.Request;
import org.galerna.mpi.datatype.Datatype;
import org.galerna.mpi.object.ObjectReceive;
import org.jspecify.annotations.Nullable;

/** A receive of objects. */
public final class ObjectsReceive extends Stage {
    private final ObjectReceive message;
    private final Datatype datatype;
    private final @Nullable Object[] buffer;
    private final int offset;
    private final int count;

    /** Whether the program has tried to cancel it, so that it must end whatever the sender does. */
    private boolean hastened;

    /** A receive that is under way. */
    public ObjectsReceive(ObjectReceive message, Datatype datatype, @Nullable Object[] buffer, int offset, int count) {
        this.message = message;
        this.datatype = datatype;
        this.buffer = buffer;
        this.offset = offset;
        this.count = count;
    }

    @Override
    public @Nullable Request next(Request done) {
        Request rest = message.next(done);
        if (hastened && rest != null) {
            rest.hasten();
        }
        return rest;
    }

    @Override
    public Result finish() {
        message.store(datatype.layout(), buffer, offset, count);
        return Result.OBJECTS;
    }

    @Override
    public int source() {
        return message.source();
    }

    @Override
    public int tag() {
        return message.tag();
    }

    @Override
    public int objects() {
        return message.objects();
    }

    @Override
    public void cancel(Request operation) {
        hastened = true;
        if (message.isMatched()) {
            operation.hasten();
        } else {
            operation.askToCancel();
        }
    }
}
