package org.galerna.mpi.request;

import org.galerna.device.Device;
import org.galerna.device.DeviceException;
import org.galerna.device.ErrorClass;
import org.galerna.device.RankList;
import org.galerna.device.Request;
import org.galerna.memory.StridedArray;
import org.galerna.mpi.comm.Communicator;
import org.galerna.mpi.comm.Face;
import org.galerna.mpi.datatype.Datatype;
import org.galerna.mpi.datatype.Staging;
import org.galerna.mpi.group.Group;
import org.galerna.mpi.object.ObjectChannel;
import org.galerna.mpi.object.ObjectReceive;
import org.galerna.mpi.session.AttachedBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Sends and receives of every kind in one context of a communicator: all modes, datatypes with gaps, objects, wildcards,
 * null processes, and all checks. An API may hand arrays to the device itself where nothing has to be packed.
 */
public final class PointToPoint {
    /** Source of a receive from any rank. */
    public static final int ANY_SOURCE = -2;

    /** Tag of a receive of any tag. */
    public static final int ANY_TAG = -2;

    private static final String RECEIVE = "Recv";

    private final Communicator comm;
    private final Device device;
    private final int context;
    private final MessageCheck check;

    /**
     * Messages of a communicator.
     *
     * @param kind {@link org.galerna.mpi.session.Session#MESSAGES} or another kind that a communicator has contexts for
     */
    public PointToPoint(Communicator comm, int kind) {
        this.comm = comm;
        this.device = comm.device();
        this.context = comm.contexts() + kind;
        this.check = new MessageCheck(comm);
    }

    // ---- sends

    /** Sends. */
    public void send(SendMode mode, Object buffer, int offset, int count, @Nullable Datatype type, int dest, int tag) {
        try {
            Object data = check.memory(buffer, type);
            check.send(data, offset, count, type, dest, tag);
            if (dest != Group.NULL_PROCESS) {
                sendChecked(mode, data, offset, count, Datatype.checked(type), comm.peer(dest), tag);
            }
        } catch (RuntimeException failure) {
            throw comm.failed(check.describeSend(mode.blocking(), buffer, offset, count, type, dest, tag), failure);
        }
    }

    void sendChecked(SendMode mode, Object data, int offset, int count, Datatype type, int target, int tag) {
        if (type.isObject()) {
            ObjectChannel.Message message = encode(data, offset, count, type);
            if (mode == SendMode.BUFFERED) {
                buffer(message, target, tag);
            } else {
                sendObjects(message, mode == SendMode.SYNCHRONOUS, target, tag);
            }
            return;
        }
        Object outgoing = outgoing(mode, data, offset, count, type, target);
        long start = outgoing == data ? type.startOf(offset) : 0;
        long length = (long) count * type.itemBytes();
        switch (mode) {
            case SYNCHRONOUS -> device.ssend(outgoing, start, length, target, tag, context);
            case BUFFERED -> attached().send(outgoing, start, length, target, tag, context);
            case STANDARD, READY -> device.send(outgoing, start, length, target, tag, context);
        }
        if (isPacked(outgoing, data)) {
            staging().give(type.elementOfOperation(), outgoing);
        }
    }

    /**
     * Starts to send.
     *
     * @param request what is to be waited for
     */
    public void isend(
            BaseRequest<?> request,
            SendMode mode,
            Object buffer,
            int offset,
            int count,
            @Nullable Datatype type,
            int dest,
            int tag) {
        try {
            Object data = check.memory(buffer, type);
            check.send(data, offset, count, type, dest, tag);
            if (dest == Group.NULL_PROCESS) {
                request.begin(Stage.Result.OF_NOBODY);
            } else {
                startSend(request, mode, data, offset, count, Datatype.checked(type), comm.peer(dest), tag);
            }
        } catch (RuntimeException failure) {
            throw comm.failed(check.describeSend(mode.nonblocking(), buffer, offset, count, type, dest, tag), failure);
        }
    }

    void startSend(
            BaseRequest<?> request,
            SendMode mode,
            Object data,
            int offset,
            int count,
            Datatype type,
            int target,
            int tag) {
        if (mode == SendMode.BUFFERED) {
            sendChecked(mode, data, offset, count, type, target, tag);
            request.begin(Stage.Result.NOTHING);
        } else if (type.isObject()) {
            ObjectChannel.Message message = encode(data, offset, count, type);
            ObjectChannel.Started started =
                    objects().start(message, mode == SendMode.SYNCHRONOUS, target, tag, context, comm.restContext());
            request.begin(started.first(), started.isInParts() ? new Stage.SentInParts(started) : null, false);
        } else {
            Object outgoing = outgoing(mode, data, offset, count, type, target);
            long start = outgoing == data ? type.startOf(offset) : 0;
            Request operation = begin(mode, outgoing, start, (long) count * type.itemBytes(), target, tag);
            boolean packed = isPacked(outgoing, data);
            request.begin(operation, packed ? new PackedSend(staging(), type.element(), outgoing) : null, false);
        }
    }

    /** Starts a send that is not buffered. */
    Request begin(SendMode mode, Object outgoing, long start, long length, int target, int tag) {
        return mode == SendMode.SYNCHRONOUS
                ? device.issend(outgoing, start, length, target, tag, context)
                : device.isend(outgoing, start, length, target, tag, context);
    }

    /** What the device sends: the items where they lie, a row of them, or a packed copy. */
    private Object outgoing(SendMode mode, Object data, int offset, int count, Datatype type, int target) {
        if (type.isBlock(count)) {
            return data;
        }
        Object row = mode == SendMode.BUFFERED ? null : row(data, offset, count, type, target);
        return row != null ? row : staging().pack(type.layout(), type.element(), data, offset, count);
    }

    private static boolean isPacked(Object outgoing, Object data) {
        return outgoing != data && !(outgoing instanceof StridedArray);
    }

    /**
     * Items with gaps as a row of bytes, so that they go from array to array without a packed copy: where ranks share a
     * heap, and the items are so many that the receiver fetches them. Null if they have to be packed.
     *
     * @param peer rank in the job, or any
     */
    private @Nullable StridedArray row(Object data, int offset, int count, Datatype type, int peer) {
        int limit = device.eagerLimit(peer == Device.ANY_SOURCE ? device.rank() : peer);
        return (long) count * type.itemBytes() > limit && device.limits().sharedHeap()
                ? type.layout().strided(data, offset, count)
                : null;
    }

    ObjectChannel.Message encode(Object data, int offset, int count, Datatype type) {
        return objects().encode(type.layout(), (@Nullable Object[]) data, offset, count);
    }

    void sendObjects(ObjectChannel.Message message, boolean synchronous, int target, int tag) {
        objects().send(message, synchronous, target, tag, context, comm.restContext());
    }

    private void buffer(ObjectChannel.Message message, int target, int tag) {
        attached()
                .send(
                        message.bytes(),
                        0,
                        message.firstLength(),
                        target,
                        tag,
                        context,
                        message.restLength(),
                        message.restTag(),
                        comm.restContext());
    }

    // ---- receives

    /**
     * Receives from one rank with one tag into an array of the class {@link Datatype#arrayClass}, as the message is.
     *
     * <p>Checks and call are one method on purpose. What calls it has to stay small as machine code, or it is not
     * inlined where it is called, and then the status that it returns is allocated for every message. So what it calls
     * must not be inlined into it, and a method of more than 325 bytes of bytecode never is (HotSpot's
     * {@code FreqInlineSize}).
     *
     * @return bytes received
     */
    public long receive(Object buffer, int offset, int count, Datatype type, int source, int tag) {
        try {
            RankList peers = comm.peers();
            if (source >= peers.size()) {
                comm.checkUsable();
                throw check.noSource(source);
            }
            int length = switch (type.elementBytes()) {
                case Byte.BYTES -> ((byte[]) buffer).length;
                case Short.BYTES -> buffer instanceof char[] chars ? chars.length : ((short[]) buffer).length;
                case Integer.BYTES -> buffer instanceof int[] ints ? ints.length : ((float[]) buffer).length;
                default -> buffer instanceof double[] doubles ? doubles.length : ((long[]) buffer).length;
            };
            if (count < 0) {
                throw new DeviceException(ErrorClass.COUNT, "count must not be negative, it is " + count);
            }
            if (offset < 0 || offset > length) {
                throw new DeviceException(
                        ErrorClass.BUFFER,
                        "offset " + offset + " is not within the buffer, an array of " + length + " elements");
            }
            long wanted = (long) count * type.itemBytes();
            if (wanted > (long) (length - offset) * type.elementBytes()) {
                throw new DeviceException(
                        ErrorClass.COUNT,
                        Datatype.items(count, type) + " from offset " + offset + " are not within the buffer of "
                                + length + " elements");
            }
            Request message =
                    device.recv(buffer, (long) offset * type.elementBytes(), wanted, peers.get(source), tag, context);
            long received = message.length();
            message.release();
            return received;
        } catch (RuntimeException failure) {
            throw comm.failed(check.describeReceive(RECEIVE, buffer, offset, count, type, source, tag), failure);
        }
    }

    /** Receives. */
    public <S> S recv(
            Statuses<S> statuses, Object buffer, int offset, int count, @Nullable Datatype type, int source, int tag) {
        try {
            Object data = check.memory(buffer, type);
            check.receive(data, offset, count, type, source, tag);
            if (source == Group.NULL_PROCESS) {
                return ofNobody(statuses);
            }
            Datatype items = Datatype.checked(type);
            if (items.arrayClass() == null) {
                Waited<S> request = new Waited<>(comm, statuses);
                startReceive(request, data, offset, count, items, source, tag);
                return request.finish();
            }
            return ended(
                    statuses,
                    device.recv(
                            data,
                            items.startOf(offset),
                            (long) count * items.itemBytes(),
                            jobSource(source),
                            deviceTag(tag),
                            context));
        } catch (RuntimeException failure) {
            throw comm.failed(check.describeReceive(RECEIVE, buffer, offset, count, type, source, tag), failure);
        }
    }

    <S> S ended(Statuses<S> statuses, Request message) {
        S status = statuses.ofMessage(comm.rankOf(message.source()), message.tag(), message.length());
        message.release();
        return status;
    }

    static <S> S ofNobody(Statuses<S> statuses) {
        return statuses.ofMessage(Group.NULL_PROCESS, ANY_TAG, 0);
    }

    /**
     * Starts to receive.
     *
     * @param request what is to be waited for
     */
    public void irecv(
            BaseRequest<?> request,
            Object buffer,
            int offset,
            int count,
            @Nullable Datatype type,
            int source,
            int tag) {
        try {
            Object data = check.memory(buffer, type);
            check.receive(data, offset, count, type, source, tag);
            if (source == Group.NULL_PROCESS) {
                request.begin(Stage.Result.OF_NOBODY);
            } else {
                startReceive(request, data, offset, count, Datatype.checked(type), source, tag);
            }
        } catch (RuntimeException failure) {
            throw comm.failed(check.describeReceive("Irecv", buffer, offset, count, type, source, tag), failure);
        }
    }

    void startReceive(BaseRequest<?> request, Object data, int offset, int count, Datatype type, int source, int tag) {
        if (type.isObject()) {
            ObjectReceive message = objects().receive(jobSource(source), deviceTag(tag), context, comm.restContext());
            request.begin(
                    message.first(), new ObjectsReceive(message, type, (@Nullable Object[]) data, offset, count), true);
            return;
        }
        long length = (long) count * type.itemBytes();
        boolean block = type.isBlock(count);
        Object row = block ? data : row(data, offset, count, type, jobSource(source));
        if (row != null) {
            long start = block ? type.startOf(offset) : 0;
            request.begin(irecv(row, start, length, source, tag), null, true);
            return;
        }
        Object packed = staging().take(type.layout(), type.element(), count);
        request.begin(
                irecv(packed, 0, length, source, tag),
                new PackedReceive(type, packed, data, offset, count, staging()),
                true);
    }

    /** Starts a receive of bytes. */
    Request irecv(Object memory, long start, long length, int source, int tag) {
        return device.irecv(memory, start, length, jobSource(source), deviceTag(tag), context);
    }

    // ---- messages that are there

    /** Blocks until a message has arrived, and leaves it there. */
    public <S> S probe(Statuses<S> statuses, int source, int tag) {
        try {
            check.source(source, tag);
            return source == Group.NULL_PROCESS
                    ? ofNobody(statuses)
                    : envelope(statuses, device.probe(jobSource(source), deviceTag(tag), context));
        } catch (RuntimeException failure) {
            throw comm.failed(check.describeProbe("Probe", source, tag), failure);
        }
    }

    /** As {@link #probe} if a message has arrived already; null if none has. */
    public <S> @Nullable S iprobe(Statuses<S> statuses, int source, int tag) {
        try {
            check.source(source, tag);
            if (source == Group.NULL_PROCESS) {
                return ofNobody(statuses);
            }
            org.galerna.device.Status found = device.iprobe(jobSource(source), deviceTag(tag), context);
            return found == null ? null : envelope(statuses, found);
        } catch (RuntimeException failure) {
            throw comm.failed(check.describeProbe("Iprobe", source, tag), failure);
        }
    }

    private <S> S envelope(Statuses<S> statuses, org.galerna.device.Status found) {
        return statuses.ofMessage(comm.rankOf(found.source()), found.tag(), found.length());
    }

    /** What went wrong on the way that an API takes past all checks: the checks find out, or the device told. */
    public RuntimeException sendFailed(
            String call,
            RuntimeException failure,
            Object buffer,
            int offset,
            int count,
            Datatype type,
            int dest,
            int tag) {
        RuntimeException cause =
                causeOf(failure, () -> check.send(check.memory(buffer, type), offset, count, type, dest, tag));
        return comm.failed(check.describeSend(call, buffer, offset, count, type, dest, tag), cause);
    }

    /** As {@link #sendFailed}, for a receive. */
    public RuntimeException receiveFailed(
            String call,
            RuntimeException failure,
            Object buffer,
            int offset,
            int count,
            Datatype type,
            int source,
            int tag) {
        RuntimeException cause =
                causeOf(failure, () -> check.receive(check.memory(buffer, type), offset, count, type, source, tag));
        return comm.failed(check.describeReceive(call, buffer, offset, count, type, source, tag), cause);
    }

    private static RuntimeException causeOf(RuntimeException failure, Runnable checks) {
        try {
            checks.run();
            return failure;
        } catch (RuntimeException wrongArgument) {
            return wrongArgument;
        }
    }

    // ---- what the device needs

    /** The communicator. */
    public Communicator communicator() {
        return comm;
    }

    /** What finds wrong arguments. */
    MessageCheck check() {
        return check;
    }

    int context() {
        return context;
    }

    /** Source for the device of a source that has been checked. */
    int jobSource(int source) {
        return source == ANY_SOURCE ? Device.ANY_SOURCE : comm.peer(source);
    }

    static int deviceTag(int tag) {
        return tag == ANY_TAG ? Device.ANY_TAG : tag;
    }

    private AttachedBuffer attached() {
        AttachedBuffer buffer = comm.session().attachedBuffer();
        if (!buffer.isAttached()) {
            throw new DeviceException(
                    ErrorClass.BUFFER,
                    "a buffered send needs memory; call " + comm.nameOf(Face.Word.ATTACH) + " before the first one");
        }
        return buffer;
    }

    private ObjectChannel objects() {
        return comm.session().objects();
    }

    private Staging staging() {
        return comm.session().staging();
    }
}
