package org.galerna.mpi.request;

import org.galerna.device.DeviceException;
import org.galerna.device.ErrorClass;
import org.galerna.device.Request;
import org.galerna.mpi.datatype.Datatype;
import org.galerna.mpi.datatype.Packing;
import org.galerna.mpi.datatype.Staging;
import org.jspecify.annotations.Nullable;

/** A receive of items with gaps, or of booleans, by way of an array that the device can write. */
public final class PackedReceive extends Stage {
    private final Datatype datatype;
    private final Object packed;
    private final Object buffer;
    private final int offset;
    private final int count;
    private final @Nullable Staging staging;
    private int source;
    private int tag;
    private long bytes;

    /**
     * A receive that is under way.
     *
     * @param staging where {@code packed} goes when the message is complete; null if it stays, for the next message
     */
    public PackedReceive(
            Datatype datatype, Object packed, Object buffer, int offset, int count, @Nullable Staging staging) {
        this.datatype = datatype;
        this.packed = packed;
        this.buffer = buffer;
        this.offset = offset;
        this.count = count;
        this.staging = staging;
    }

    @Override
    public @Nullable Request next(Request done) {
        source = done.source();
        tag = done.tag();
        bytes = done.length();
        return null;
    }

    @Override
    public Result finish() {
        unpack((int) (bytes / datatype.elementOfOperation().bytes()));
        if (staging != null) {
            staging.give(datatype.elementOfOperation(), packed);
        }
        return Result.MESSAGE;
    }

    @Override
    public int source() {
        return source;
    }

    @Override
    public int tag() {
        return tag;
    }

    @Override
    public long bytes() {
        return bytes;
    }

    @Override
    public void salvage(DeviceException failure) {
        if (failure.errorClass() == ErrorClass.TRUNCATE) {
            unpack(count * datatype.layout().size());
        }
    }

    private void unpack(int elements) {
        Packing.unpack(datatype.layout(), datatype.elementOfOperation(), packed, 0, elements, buffer, offset);
    }
}
