package org.galerna.nativeaccess.verbs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.galerna.nativeaccess.file.Descriptors;

/** Where the events of connections come in. Events are one thread's to take; all else is one thread's at a time. */
public final class ConnectionEvents implements AutoCloseable {
    private final RdmaCm library;
    private final MemorySegment channel;
    private final int descriptor;
    private volatile long taken; // written by the thread that takes them
    private boolean closed;

    ConnectionEvents(RdmaCm library, MemorySegment channel) {
        this.library = library;
        this.channel = NativeFunction.sized(channel, RdmaCmLayout.CHANNEL_BYTES);
        this.descriptor = this.channel.get(JAVA_INT, 0);
        Descriptors.doNotBlock(descriptor);
    }

    /** Descriptor that is readable while there are events. */
    public int descriptor() {
        return descriptor;
    }

    /** A new end of a connection, or something to listen with; its events come in here. */
    public ConnectionId newId() throws VerbsException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment place = arena.allocate(ADDRESS);
            library.createId.count("RDMA CM", channel, place, MemorySegment.NULL, RdmaCmLayout.PORT_SPACE_TCP);
            return new ConnectionId(library, place.get(ADDRESS, 0));
        }
    }

    /** The end of a connection that a {@link ConnectionEvent.Kind#REQUEST} has brought. */
    public ConnectionId requested(ConnectionEvent request) {
        return new ConnectionId(library, MemorySegment.ofAddress(request.id()));
    }

    /** The next event; empty if there is none. Does not block. */
    public Optional<ConnectionEvent> next() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment place = arena.allocate(ADDRESS);
            if (library.getEvent.errnoOf(channel, place) != 0) {
                return Optional.empty();
            }
            MemorySegment event = NativeFunction.sized(place.get(ADDRESS, 0), RdmaCmLayout.EVENT_BYTES);
            int type = event.get(JAVA_INT, RdmaCmLayout.EVENT_TYPE);
            long number = taken + 1;
            taken = number; // before it is acknowledged, which whoever closes its end waits for
            ConnectionEvent copy = new ConnectionEvent(
                    number,
                    ConnectionEvent.Kind.of(type),
                    event.get(ADDRESS, RdmaCmLayout.EVENT_ID).address(),
                    event.get(ADDRESS, RdmaCmLayout.EVENT_LISTENER).address(),
                    event.get(JAVA_INT, RdmaCmLayout.EVENT_STATUS),
                    privateData(event),
                    library.describeEvent(type));
            library.acknowledgeEvent.ignoringFailure(event);
            return Optional.of(copy);
        }
    }

    /**
     * How many events have been taken. An end that is made now may have the {@linkplain ConnectionId#handle handle} of one
     * that is closed; of events up to this number with that handle it is the other one's.
     */
    public long taken() {
        return taken;
    }

    private static byte[] privateData(MemorySegment event) {
        long parameters = RdmaCmLayout.EVENT_PARAMETERS;
        MemorySegment data = event.get(ADDRESS, parameters + RdmaCmLayout.PARAMETERS_PRIVATE_DATA);
        int length = event.get(JAVA_BYTE, parameters + RdmaCmLayout.PARAMETERS_PRIVATE_LENGTH) & 0xff;
        return data.equals(MemorySegment.NULL)
                ? new byte[0]
                : NativeFunction.sized(data, length).toArray(JAVA_BYTE);
    }

    /** Ends it; the ends of connections that were made here must be closed before. Idempotent. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            library.destroyChannel.ignoringFailure(channel);
        }
    }
}
