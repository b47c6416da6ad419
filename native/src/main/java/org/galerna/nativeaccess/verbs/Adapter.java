package org.galerna.nativeaccess.verbs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.galerna.nativeaccess.file.Descriptors;

/** An adapter that this process has opened: {@code struct ibv_context}. Safe for use by many threads. */
public final class Adapter implements AutoCloseable {
    /** The vector that completion interrupts go to; there is always a first one. */
    private static final int FIRST_VECTOR = 0;

    private final VerbsLibrary library;
    private final String name;
    private final boolean iwarp;
    private final MemorySegment context;
    private final int asyncDescriptor;
    private boolean closed; // guarded by this

    Adapter(VerbsLibrary library, String name, boolean iwarp, MemorySegment context) throws VerbsException {
        this.library = library;
        this.name = name;
        this.iwarp = iwarp;
        this.context = NativeFunction.sized(context, VerbsLayout.CONTEXT_BYTES);
        this.asyncDescriptor = this.context.get(JAVA_INT, VerbsLayout.CONTEXT_ASYNC_FD);
        Descriptors.doNotBlock(asyncDescriptor);
    }

    /** Name of the adapter, e.g. {@code mlx5_0}. */
    public String name() {
        return name;
    }

    /** Whether it speaks iWARP, which has no immediate data and only RDMA CM to connect by. */
    public boolean isIwarp() {
        return iwarp;
    }

    VerbsLibrary library() {
        return library;
    }

    MemorySegment operation(long offset) {
        return context.get(ADDRESS, offset);
    }

    /** What the adapter can hold. */
    public AdapterLimits limits() throws VerbsException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = arena.allocate(VerbsLayout.DEVICE_ATTR_BYTES, 8);
            library.queryDevice.zero(name, context, attributes);
            return new AdapterLimits(
                    attributes.getString(VerbsLayout.DEVICE_ATTR_FIRMWARE),
                    attributes.get(JAVA_BYTE, VerbsLayout.DEVICE_ATTR_PORTS) & 0xff,
                    attributes.get(JAVA_INT, VerbsLayout.DEVICE_ATTR_MAX_QP),
                    attributes.get(JAVA_INT, VerbsLayout.DEVICE_ATTR_MAX_QP_WR),
                    attributes.get(JAVA_INT, VerbsLayout.DEVICE_ATTR_MAX_CQE),
                    attributes.get(JAVA_INT, VerbsLayout.DEVICE_ATTR_MAX_MR),
                    attributes.get(JAVA_INT, VerbsLayout.DEVICE_ATTR_MAX_QP_RD_ATOM),
                    attributes.get(JAVA_INT, VerbsLayout.DEVICE_ATTR_MAX_QP_INIT_RD_ATOM),
                    attributes.get(JAVA_INT, VerbsLayout.DEVICE_ATTR_MAX_SRQ_WR));
        }
    }

    /**
     * A port as it is now.
     *
     * @param number from 1
     */
    public Port port(int number) throws VerbsException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = arena.allocate(2L * VerbsLayout.PORT_ATTR_BYTES, 8); // newer ones are longer
            library.queryPort.zero(name + " port " + number, context, (byte) number, attributes);
            return new Port(
                    number,
                    attributes.get(JAVA_INT, VerbsLayout.PORT_ATTR_STATE),
                    128 << attributes.get(JAVA_INT, VerbsLayout.PORT_ATTR_ACTIVE_MTU),
                    attributes.get(JAVA_INT, VerbsLayout.PORT_ATTR_GIDS),
                    attributes.get(JAVA_INT, VerbsLayout.PORT_ATTR_MAX_MESSAGE) & 0xffff_ffffL,
                    attributes.get(JAVA_SHORT, VerbsLayout.PORT_ATTR_LID) & 0xffff,
                    attributes.get(JAVA_BYTE, VerbsLayout.PORT_ATTR_LINK_LAYER) == 2);
        }
    }

    /** The GIDs that a port has, in the order of its table, without the empty places. */
    public List<Gid> gids(Port port) throws VerbsException {
        List<Gid> gids = new ArrayList<>();
        for (int index = 0; index < port.gids(); index++) {
            gid(port.number(), index).ifPresent(gids::add);
        }
        return gids;
    }

    /** One place of a port's table; empty if there is nothing. */
    public Optional<Gid> gid(int port, int index) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment entry = arena.allocate(VerbsLayout.GID_ENTRY_BYTES, 8);
            int error = library.queryGid.errnoOf(context, port, index, entry, 0, (long) VerbsLayout.GID_ENTRY_BYTES);
            if (error != 0) {
                return Optional.empty();
            }
            byte[] bytes = entry.asSlice(0, VerbsLayout.GID_BYTES).toArray(JAVA_BYTE);
            Gid gid = new Gid(index, bytes, entry.get(JAVA_INT, VerbsLayout.GID_ENTRY_TYPE));
            return gid.isEmpty() ? Optional.empty() : Optional.of(gid);
        }
    }

    /** A protection domain: what belongs to one owner on this adapter. */
    public ProtectionDomain newProtectionDomain() throws VerbsException {
        return new ProtectionDomain(this, library.allocateDomain.pointer(name, context));
    }

    /** A channel that completions are announced on. */
    public CompletionChannel newCompletionChannel() throws VerbsException {
        return new CompletionChannel(this, library.createChannel.pointer(name, context));
    }

    /**
     * A completion queue.
     *
     * @param entries least number of completions that it holds
     * @param channel announces completions where that is asked for
     */
    public CompletionQueue newCompletionQueue(int entries, CompletionChannel channel) throws VerbsException {
        MemorySegment queue = library.createCompletionQueue.pointer(
                name + " (completion queue of " + entries + ")",
                context,
                entries,
                MemorySegment.NULL,
                channel.address(),
                FIRST_VECTOR);
        return new CompletionQueue(this, queue);
    }

    /** Descriptor that is readable while there are {@linkplain #nextEvent asynchronous events}. */
    public int asyncDescriptor() {
        return asyncDescriptor;
    }

    /** The next asynchronous event, which is acknowledged by this; empty if there is none. Does not block. */
    public Optional<AsyncEvent> nextEvent() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment event = arena.allocate(VerbsLayout.ASYNC_EVENT_BYTES, 8);
            if (library.getAsyncEvent.errnoOf(context, event) != 0) {
                return Optional.empty();
            }
            int type = event.get(JAVA_INT, VerbsLayout.ASYNC_EVENT_TYPE);
            long element = event.get(ADDRESS, VerbsLayout.ASYNC_EVENT_ELEMENT).address();
            library.acknowledgeAsyncEvent.ignoringFailure(event);
            return Optional.of(new AsyncEvent(type, element, library.describeEvent(type)));
        }
    }

    /** Ends the use; everything that was made of it must be closed before. Idempotent. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            library.closeDevice.ignoringFailure(context);
        }
    }
}
