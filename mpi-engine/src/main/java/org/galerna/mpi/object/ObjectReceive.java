package org.galerna.mpi.object;

import java.util.Arrays;
import org.galerna.device.DeviceException;
import org.galerna.device.ErrorClass;
import org.galerna.device.Request;
import org.galerna.mpi.datatype.Layout;
import org.galerna.mpi.settings.Options;
import org.jspecify.annotations.Nullable;

/** A message of objects that is being received, in one part or two. Used by one thread at a time. */
public final class ObjectReceive {
    private static final byte[] NOTHING = {};

    private final ObjectChannel channel;
    private final int restContext;
    private final ReceiverLoaders loaders;
    private byte[] message;
    private int length;
    private int source;
    private int tag;
    private boolean secondPart;
    private final Request first;

    ObjectReceive(ObjectChannel channel, byte[] message, Request first, int restContext) {
        this.channel = channel;
        this.message = message;
        this.first = first;
        this.restContext = restContext;
        this.loaders = channel.codec().loaders();
    }

    /** The request of the first part. */
    public Request first() {
        return first;
    }

    /**
     * Takes note that a part is complete.
     *
     * @param done the request of the part, not released yet
     * @return the request of the next part; null if the message is complete
     */
    public @Nullable Request next(Request done) {
        if (secondPart) {
            return null;
        }
        source = done.source();
        tag = done.tag();
        int received = (int) done.length();
        if (received == 0) {
            return null;
        }
        ObjectChannel.checkHeader(message, received);
        length = ObjectHeaderLayout.length(message);
        if (length == received) {
            return null;
        }
        long limit = channel.codec().limits().bytes();
        int restTag = ObjectHeaderLayout.restTag(message);
        if (length > limit) {
            // received into nothing, so that the sender gets rid of it
            channel.device().irecv(NOTHING, 0, 0, source, restTag, restContext);
            throw new DeviceException(
                    ErrorClass.OTHER,
                    "a message of objects has " + length + " bytes, more than the limit of " + limit
                            + " (system property " + Options.SERIAL_BYTES + ")");
        }
        byte[] whole = new byte[length];
        System.arraycopy(message, 0, whole, 0, received);
        message = whole;
        secondPart = true;
        return channel.device().irecv(whole, received, length - received, source, restTag, restContext);
    }

    /** True once the message has been matched and only its second part is missing: it cannot be cancelled any more. */
    public boolean isMatched() {
        return secondPart;
    }

    /** Rank in the job that has sent the message. */
    public int source() {
        return source;
    }

    /** Tag of the message. */
    public int tag() {
        return tag;
    }

    /** The complete message behind its header. */
    public byte[] payload() {
        return length == 0 ? NOTHING : Arrays.copyOfRange(message, ObjectHeaderLayout.LENGTH_OF_HEADER, length);
    }

    /** Number of objects in the message. */
    public int objects() {
        return length == 0 ? 0 : ObjectChannel.objectsIn(message);
    }

    /**
     * Puts the objects of the complete message where they belong.
     *
     * @param count items that there is room for
     * @throws DeviceException if there are more objects, after the first ones have been stored; if they cannot be
     *     deserialized; if {@code buffer} cannot hold objects of their class
     */
    public void store(Layout layout, @Nullable Object[] buffer, int offset, int count) {
        if (length == 0) {
            return;
        }
        channel.store(message, length, layout, buffer, offset, count, loaders);
    }
}
