package org.galerna.mpi.object;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.galerna.device.Device;
import org.galerna.device.DeviceException;
import org.galerna.device.ErrorClass;
import org.galerna.device.Request;
import org.galerna.mpi.datatype.Layout;
import org.jspecify.annotations.Nullable;

/** Sends and receives messages of objects; see {@link ObjectHeaderLayout} for how they travel. */
public final class ObjectChannel {
    /** A message of no objects. */
    private static final Message EMPTY = new Message(new byte[0], 0, 0);

    private final Device device;
    private final ObjectCodec codec;
    private final AtomicInteger restTags = new AtomicInteger();

    /** Second parts that are under way; guarded by itself. */
    private final List<Rest> rests = new ArrayList<>();

    /** The channel of one rank. */
    public ObjectChannel(Device device, ObjectCodec codec) {
        this.device = device;
        this.codec = codec;
    }

    /**
     * Serialized objects, ready to be sent; the first {@link Message#firstLength} bytes travel with the tag of the
     * message, the others with {@link Message#restTag}.
     */
    public record Message(
            @SuppressWarnings("ArrayRecordComponent") byte[] bytes, int length, int restTag) {
        /** Bytes of the first part. */
        public int firstLength() {
            return Math.min(length, ObjectHeaderLayout.FIRST_PART);
        }

        /** Bytes of the second part, 0 if there is none. */
        public int restLength() {
            return length - firstLength();
        }
    }

    /** A message that has been started. */
    public static final class Started {
        private final Request first;
        private final @Nullable Rest rest;

        private Started(Request first, @Nullable Rest rest) {
            this.first = first;
            this.rest = rest;
        }

        /** The request of the first part, after which the sender has nothing more to do. */
        public Request first() {
            return first;
        }

        /** Whether more than the first part is on its way. */
        public boolean isInParts() {
            return rest != null;
        }

        /** The first part was cancelled, so that nobody will ask for the second one. */
        public void cancelRest() {
            if (rest != null) {
                rest.cancel();
            }
        }
    }

    /** A second part under way. */
    private final class Rest {
        private @Nullable Request request; // guarded by rests; null once it is given back

        Rest(Request request) {
            this.request = request;
        }

        /** True if nothing is left to be done for it. */
        boolean isOver() {
            Request current = request;
            if (current != null && current.isDone()) {
                current.release();
                request = null;
            }
            return request == null;
        }

        void cancel() {
            synchronized (rests) {
                if (request != null) {
                    request.askToCancel();
                }
            }
        }
    }

    /** Bytes that travel as objects do, without being any; received by {@link ObjectReceive#payload}. */
    public Message wrap(byte[] payload) {
        int header = ObjectHeaderLayout.LENGTH_OF_HEADER;
        byte[] bytes = new byte[Math.addExact(header, payload.length)];
        System.arraycopy(payload, 0, bytes, header, payload.length);
        int restTag = bytes.length > ObjectHeaderLayout.FIRST_PART ? nextRestTag() : 0;
        ObjectHeaderLayout.write(bytes, 0, bytes.length, restTag);
        return new Message(bytes, bytes.length, restTag);
    }

    /** A tag for the second part of a message of objects, not used again for a very long time. */
    private int nextRestTag() {
        return Integer.remainderUnsigned(
                restTags.getAndIncrement(), device.limits().largestTag() + 1);
    }

    /** Serializes items of a layout of objects, for a message. */
    public Message encode(Layout layout, @Nullable Object[] buffer, int offset, int count) {
        return count == 0 || layout.size() == 0 ? EMPTY : serialize(layout, buffer, offset, count);
    }

    private Message serialize(Layout layout, @Nullable Object[] buffer, int offset, int count) {
        EncodedObjects encoded;
        if (layout.isDense()) {
            encoded = codec.encode(buffer, offset, Math.multiplyExact(count, layout.size()));
        } else {
            @Nullable Object[] packed = new Object[Math.multiplyExact(count, layout.size())];
            layout.gather(buffer, offset, count, packed, 0);
            encoded = codec.encode(packed, 0, packed.length);
        }
        int restTag = encoded.length() > ObjectHeaderLayout.FIRST_PART ? nextRestTag() : 0;
        ObjectHeaderLayout.write(encoded.bytes(), encoded.objects(), encoded.length(), restTag);
        return new Message(encoded.bytes(), encoded.length(), restTag);
    }

    /**
     * Sends, blocking. What does not fit into the first part is sent by and by: the bytes are a copy already, and the
     * receiver, who has to do something to get them, may be busy with something else first. As it is a synchronous send
     * that comes before them, no more than what others have asked for is ever on its way.
     */
    public void send(Message message, boolean synchronous, int destination, int tag, int context, int restContext) {
        int first = message.firstLength();
        if (synchronous || message.restLength() > 0) {
            device.ssend(message.bytes(), 0, first, destination, tag, context);
        } else {
            device.send(message.bytes(), 0, first, destination, tag, context);
        }
        sendRest(message, false, destination, restContext);
    }

    /** Starts to send. */
    public Started start(Message message, boolean synchronous, int destination, int tag, int context, int restContext) {
        int first = message.firstLength();
        Request request = synchronous || message.restLength() > 0
                ? device.issend(message.bytes(), 0, first, destination, tag, context)
                : device.isend(message.bytes(), 0, first, destination, tag, context);
        return new Started(request, sendRest(message, true, destination, restContext));
    }

    /** Starts to send the second part; if the first one may be cancelled, in such a way that this one may be, too. */
    private @Nullable Rest sendRest(Message message, boolean cancellable, int destination, int restContext) {
        int length = message.restLength();
        if (length == 0) {
            return null;
        }
        Request request;
        int first = message.firstLength();
        try {
            request = cancellable
                    ? device.issend(message.bytes(), first, length, destination, message.restTag(), restContext)
                    : device.isend(message.bytes(), first, length, destination, message.restTag(), restContext);
        } catch (DeviceException failure) {
            if (failure.errorClass() == ErrorClass.PROC_FAILED) {
                return null; // the receiver has seen the beginning, refused the message and left; the send itself
                // succeeded
            }
            throw failure;
        }
        Rest rest = new Rest(request);
        synchronized (rests) {
            rests.removeIf(Rest::isOver);
            rests.add(rest);
        }
        return rest;
    }

    Device device() {
        return device;
    }

    ObjectCodec codec() {
        return codec;
    }

    /** Where the classes of objects come from that the calling class starts to receive. */
    public ReceiverLoaders loaders() {
        return codec.loaders();
    }

    /** Starts a receive; its first part is under way. */
    public ObjectReceive receive(int source, int tag, int context, int restContext) {
        byte[] first = new byte[ObjectHeaderLayout.FIRST_PART];
        Request request = device.irecv(first, 0, first.length, source, tag, context);
        return new ObjectReceive(this, first, request, restContext);
    }

    private @Nullable Object[] decode(byte[] message, int length, int maximum, ReceiverLoaders loaders) {
        int objects = checkHeader(message, length);
        if (ObjectHeaderLayout.length(message) != length) {
            throw malformed(length);
        }
        return codec.decode(message, length, Math.min(objects, maximum), loaders);
    }

    /** Serializes items into an array of exactly their length, for {@link #unpack}. */
    public byte[] pack(Layout layout, @Nullable Object[] buffer, int offset, int count) {
        Message message = serialize(layout, buffer, offset, count);
        return Arrays.copyOf(message.bytes(), message.length());
    }

    /**
     * Reads items back that {@link #pack} has written.
     *
     * @return position behind them in {@code packed}
     */
    public int unpack(byte[] packed, int position, Layout layout, @Nullable Object[] buffer, int offset, int count) {
        byte[] header = Arrays.copyOfRange(
                packed, position, Math.min(packed.length, position + ObjectHeaderLayout.LENGTH_OF_HEADER));
        if (header.length < ObjectHeaderLayout.LENGTH_OF_HEADER
                || ObjectHeaderLayout.magic(header) != ObjectHeaderLayout.MAGIC) {
            throw new DeviceException(ErrorClass.TYPE, "there are no packed objects at position " + position);
        }
        int length = ObjectHeaderLayout.length(header);
        if (length < header.length || length > packed.length - position) {
            throw malformed(packed.length - position);
        }
        byte[] message = Arrays.copyOfRange(packed, position, position + length);
        store(message, length, layout, buffer, offset, count, loaders());
        return position + length;
    }

    /**
     * Puts the objects of a complete message where they belong.
     *
     * @param message header and stream
     * @param length bytes of it
     * @param count items that there is room for
     * @param loaders where the classes of the objects come from
     * @return number of objects stored
     * @throws DeviceException if there are more objects, after the first ones have been stored; if they cannot be
     *     deserialized; if {@code buffer} cannot hold objects of their class
     */
    public int store(
            byte[] message,
            int length,
            Layout layout,
            @Nullable Object[] buffer,
            int offset,
            int count,
            ReceiverLoaders loaders) {
        int room = Math.multiplyExact(count, layout.size());
        @Nullable Object[] objects = decode(message, length, room, loaders);
        try {
            layout.scatter(objects, 0, objects.length, buffer, offset);
        } catch (ArrayStoreException wrongClass) {
            throw new DeviceException(
                    ErrorClass.TYPE,
                    "a received object cannot be stored in a "
                            + buffer.getClass().getTypeName() + ": " + wrongClass.getMessage(),
                    wrongClass);
        }
        int announced = objectsIn(message);
        if (announced > room) {
            throw new DeviceException(
                    ErrorClass.TRUNCATE,
                    "a message of " + announced + " objects was received into a buffer for " + room + "; the first "
                            + room + " have been stored");
        }
        return objects.length;
    }

    /** Number of objects that a message announces. */
    public static int objectsIn(byte[] message) {
        return ObjectHeaderLayout.objects(message);
    }

    /** Checks what the header claims before anything is allocated for it. */
    static int checkHeader(byte[] message, int received) {
        if (received < ObjectHeaderLayout.LENGTH_OF_HEADER
                || ObjectHeaderLayout.magic(message) != ObjectHeaderLayout.MAGIC) {
            throw new DeviceException(
                    ErrorClass.TYPE,
                    "a message of " + received
                            + " bytes or more that was received as objects was sent as another datatype");
        }
        int length = ObjectHeaderLayout.length(message);
        int objects = ObjectHeaderLayout.objects(message);
        // a stream of n objects has at least n bytes
        if (length < received
                || objects < 0
                || objects > length
                || (length > received && received != ObjectHeaderLayout.FIRST_PART)) {
            throw malformed(received);
        }
        return objects;
    }

    private static DeviceException malformed(int received) {
        return new DeviceException(
                ErrorClass.OTHER, "the header of a received message of objects is damaged (" + received + " bytes)");
    }
}
