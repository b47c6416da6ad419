package org.galerna.mpi.request;

import org.galerna.device.Device;
import org.galerna.device.DeviceException;
import org.galerna.device.ErrorClass;
import org.galerna.device.Request;
import org.galerna.memory.Buffers;
import org.galerna.mpi.comm.Communicator;
import org.galerna.mpi.datatype.Datatype;
import org.galerna.mpi.datatype.ElementType;
import org.galerna.mpi.datatype.Packing;
import org.galerna.mpi.group.Group;
import org.jspecify.annotations.Nullable;

/**
 * A message that is sent or received again and again with the same arguments. What it needs for items with gaps it keeps, so
 * that starting and completing it allocates no memory but for the status (objects and buffered sends apart).
 */
public final class PersistentMessage {
    private final PointToPoint messages;
    private final Communicator comm;

    /** Null for a receive. */
    private final @Nullable SendMode mode;

    private final Object buffer;
    private final int offset;
    private final int count;
    private final @Nullable Datatype type;
    private final int peer;
    private final int tag;

    /** The datatype may be freed meanwhile, which does not concern this message. */
    private final boolean isBlock;

    // made at the first start
    private @Nullable Object memory;
    private long start;
    private long length;

    /** Where the items are on the way, if not in the buffer. */
    private @Nullable Object packed;

    private @Nullable PackedReceive unpacking;
    private boolean freed;

    private PersistentMessage(
            PointToPoint messages,
            @Nullable SendMode mode,
            Object buffer,
            int offset,
            int count,
            @Nullable Datatype type,
            int peer,
            int tag) {
        this.messages = messages;
        this.comm = messages.communicator();
        this.mode = mode;
        this.buffer = buffer;
        this.offset = offset;
        this.count = count;
        this.type = type;
        this.peer = peer;
        this.tag = tag;
        this.isBlock = type != null && type.isBlock(count);
    }

    /**
     * A send.
     *
     * @param call name of the call, for errors
     */
    public static PersistentMessage send(
            PointToPoint messages,
            SendMode mode,
            String call,
            Object buffer,
            int offset,
            int count,
            @Nullable Datatype type,
            int dest,
            int tag) {
        MessageCheck check = messages.check();
        try {
            Object data = check.memory(buffer, type);
            check.send(data, offset, count, type, dest, tag);
            return new PersistentMessage(messages, mode, data, offset, count, type, dest, tag);
        } catch (RuntimeException failure) {
            String description = check.describeSend(call, buffer, offset, count, type, dest, tag);
            throw messages.communicator().failed(description, failure);
        }
    }

    /**
     * A receive.
     *
     * @param call name of the call, for errors
     */
    public static PersistentMessage receive(
            PointToPoint messages,
            String call,
            Object buffer,
            int offset,
            int count,
            @Nullable Datatype type,
            int source,
            int tag) {
        MessageCheck check = messages.check();
        try {
            Object data = check.memory(buffer, type);
            check.receive(data, offset, count, type, source, tag);
            return new PersistentMessage(messages, null, data, offset, count, type, source, tag);
        } catch (RuntimeException failure) {
            String description = check.describeReceive(call, buffer, offset, count, type, source, tag);
            throw messages.communicator().failed(description, failure);
        }
    }

    /**
     * Starts the communication.
     *
     * @param request what is to be waited for; the same each time
     * @param call name of the call, for errors
     */
    public void start(BaseRequest<?> request, String call) {
        if (request.isActive()) {
            throw wrong(call, "the persistent request is active; wait for it before it is started again");
        }
        if (freed) {
            throw wrong(call, "the persistent request has been freed");
        }
        if (type == null || peer == Group.NULL_PROCESS || mode == SendMode.BUFFERED || type.isObject()) {
            if (mode == null) {
                messages.irecv(request, buffer, offset, count, type, peer, tag);
            } else {
                messages.isend(request, mode, buffer, offset, count, type, peer, tag);
            }
            return;
        }
        try {
            comm.checkUsable();
            if (mode == null) {
                startReceive(request, type);
            } else {
                startSend(request, type, mode);
            }
        } catch (RuntimeException failure) {
            MessageCheck check = messages.check();
            throw comm.failed(
                    mode == null
                            ? check.describeReceive(call + " of Recv", buffer, offset, count, type, peer, tag)
                            : check.describeSend(
                                    call + " of " + mode.blocking(), buffer, offset, count, type, peer, tag),
                    failure);
        }
    }

    private RuntimeException wrong(String call, String message) {
        return comm.failed(call, new DeviceException(ErrorClass.REQUEST, message));
    }

    private void startSend(BaseRequest<?> request, Datatype items, SendMode how) {
        Object outgoing = memory(items);
        if (packed != null) {
            Packing.pack(items.layout(), items.elementOfOperation(), buffer, offset, count, packed, 0);
        }
        Request operation = messages.begin(how, outgoing, start, length, comm.peer(peer), tag);
        request.begin(operation, null, false);
    }

    private void startReceive(BaseRequest<?> request, Datatype items) {
        Object incoming = memory(items);
        Request operation = messages.irecv(incoming, start, length, peer, tag);
        request.begin(operation, unpacking, true);
    }

    /** Where the device finds or puts the items: the program's array, or one that they are packed into. */
    private Object memory(Datatype items) {
        Object known = memory;
        return known != null ? known : prepare(items);
    }

    private Object prepare(Datatype items) {
        Object array = buffer;
        length = (long) count * items.itemBytes();
        if (isBlock) {
            start = items.startOf(offset);
        } else {
            ElementType element = items.elementOfOperation();
            array = Packing.allocate(items.layout(), element, count);
            packed = array;
            start = 0;
            unpacking = mode == null ? new PackedReceive(items, array, buffer, offset, count, null) : null;
        }
        int other = messages.jobSource(peer);
        Device device = comm.device();
        if (length > device.eagerLimit(other == Device.ANY_SOURCE ? device.rank() : other)) {
            array = Buffers.segment(array, start, length); // what the device would make of it every time
            start = 0;
        }
        memory = array;
        return array;
    }

    /** Gives it up; it cannot be started again. */
    public void free() {
        freed = true;
    }

    /** Whether it has been given up. */
    public boolean isFreed() {
        return freed;
    }
}
