package mpi;

import java.lang.foreign.MemorySegment;
import org.galerna.device.Device;
import org.galerna.device.ErrorClass;
import org.galerna.memory.StridedArray;
import org.galerna.mpi.datatype.Staging;
import org.galerna.mpi.object.ObjectChannel;
import org.galerna.mpi.object.ObjectReceive;
import org.galerna.mpi.request.ObjectsReceive;
import org.galerna.mpi.request.PackedReceive;
import org.galerna.mpi.request.PackedSend;
import org.galerna.mpi.request.Stage;
import org.jspecify.annotations.Nullable;

/**
 * Sends and receives of every kind: all modes, datatypes with gaps, objects, wildcards, null processes, and all the
 * checks. {@link Comm} itself handles what can go straight to the device and comes here for the rest.
 */
final class PointToPoint {
    static final int STANDARD = 0;
    static final int SYNCHRONOUS = 1;
    static final int BUFFERED = 2;
    static final int READY = 3;
    static final int RECEIVE = 4;

    private static final String[] BLOCKING = {"Send", "Ssend", "Bsend", "Rsend", "Recv"};
    private static final String[] NONBLOCKING = {"Isend", "Issend", "Ibsend", "Irsend", "Irecv"};

    private PointToPoint() {}

    static void send(
            Comm comm,
            int mode,
            Object buffer,
            int offset,
            int count,
            Datatype type,
            int dest,
            int tag,
            boolean pt2pt) {
        try {
            Object data = Memory.behind(buffer, type);
            comm.checkSend(data, offset, count, type, dest, tag);
            if (dest == Constants.PROC_NULL) {
                return;
            }
            int target = comm.jobRank(dest);
            int context = comm.context(pt2pt);
            if (type.isObject()) {
                sendObjects(comm, mode, data, offset, count, type, target, tag, context);
                return;
            }
            boolean block = type.isBlock(count);
            Staging staging = comm.session.staging();
            Object row = block || mode == BUFFERED ? null : row(comm, data, offset, count, type, target);
            boolean packed = !block && row == null;
            Object outgoing =
                    packed ? staging.pack(type.layout, type.element(), data, offset, count) : row == null ? data : row;
            long start = block ? type.startOf(offset) : 0;
            long length = (long) count * type.itemBytes;
            Device device = comm.device;
            switch (mode) {
                case SYNCHRONOUS -> device.ssend(outgoing, start, length, target, tag, context);
                case BUFFERED -> comm.session.attachedBuffer().send(outgoing, start, length, target, tag, context);
                default -> device.send(outgoing, start, length, target, tag, context);
            }
            if (packed) {
                staging.give(type.elementOfOperation(), outgoing);
            }
        } catch (RuntimeException failure) {
            throw Errors.failed(
                    comm, describe(comm, BLOCKING[mode], buffer, offset, count, type, "to", dest, tag), failure);
        }
    }

    private static void sendObjects(
            Comm comm, int mode, Object data, int offset, int count, Datatype type, int target, int tag, int context) {
        ObjectChannel channel = comm.session.objects();
        ObjectChannel.Message message = channel.encode(type.layout, (Object[]) data, offset, count);
        if (mode == BUFFERED) {
            bufferObjects(comm, message, target, tag, context);
        } else {
            channel.send(message, mode == SYNCHRONOUS, target, tag, context, comm.restContext());
        }
    }

    private static void bufferObjects(Comm comm, ObjectChannel.Message message, int target, int tag, int context) {
        comm.session
                .attachedBuffer()
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

    static Request isend(
            Comm comm,
            int mode,
            Object buffer,
            int offset,
            int count,
            Datatype type,
            int dest,
            int tag,
            boolean pt2pt) {
        try {
            Object data = Memory.behind(buffer, type);
            comm.checkSend(data, offset, count, type, dest, tag);
            if (dest == Constants.PROC_NULL) {
                return new Request(comm, null, new Stage.Done(Stage.Result.OF_NOBODY));
            }
            int target = comm.jobRank(dest);
            int context = comm.context(pt2pt);
            if (type.isObject()) {
                return isendObjects(comm, mode, data, offset, count, type, target, tag, context);
            }
            boolean block = type.isBlock(count);
            Staging staging = comm.session.staging();
            Object row = block || mode == BUFFERED ? null : row(comm, data, offset, count, type, target);
            boolean packed = !block && row == null;
            Object outgoing =
                    packed ? staging.pack(type.layout, type.element(), data, offset, count) : row == null ? data : row;
            long start = block ? type.startOf(offset) : 0;
            long length = (long) count * type.itemBytes;
            if (mode == BUFFERED) {
                comm.session.attachedBuffer().send(outgoing, start, length, target, tag, context);
                if (packed) {
                    staging.give(type.elementOfOperation(), outgoing);
                }
                return new Request(comm, null, new Stage.Done(Stage.Result.NOTHING));
            }
            org.galerna.device.Request operation = begin(comm, mode, outgoing, start, length, target, tag, context);
            return packed
                    ? new Request(comm, operation, new PackedSend(staging, type.element(), outgoing))
                    : new Request(comm, operation, false);
        } catch (RuntimeException failure) {
            throw Errors.failed(
                    comm, describe(comm, NONBLOCKING[mode], buffer, offset, count, type, "to", dest, tag), failure);
        }
    }

    /**
     * Items with gaps as a row of bytes, so that they go from array to array without a packed copy: where ranks share a
     * heap, and the items are so many that the receiver fetches them. Null if they have to be packed.
     *
     * @param peer rank in the job, or any
     */
    private static @Nullable StridedArray row(Comm comm, Object data, int offset, int count, Datatype type, int peer) {
        Device device = comm.device;
        int limit = device.eagerLimit(peer == Device.ANY_SOURCE ? device.rank() : peer);
        return (long) count * type.itemBytes > limit && device.limits().sharedHeap()
                ? type.layout.strided(data, offset, count)
                : null;
    }

    /** Starts a send that is not buffered. */
    static org.galerna.device.Request begin(
            Comm comm, int mode, Object outgoing, long start, long length, int target, int tag, int context) {
        return mode == SYNCHRONOUS
                ? comm.device.issend(outgoing, start, length, target, tag, context)
                : comm.device.isend(outgoing, start, length, target, tag, context);
    }

    private static Request isendObjects(
            Comm comm, int mode, Object data, int offset, int count, Datatype type, int target, int tag, int context) {
        ObjectChannel.Message message = comm.session.objects().encode(type.layout, (Object[]) data, offset, count);
        if (mode == BUFFERED) {
            bufferObjects(comm, message, target, tag, context);
            return new Request(comm, null, new Stage.Done(Stage.Result.NOTHING));
        }
        ObjectChannel.Started started =
                comm.session.objects().start(message, mode == SYNCHRONOUS, target, tag, context, comm.restContext());
        return started.isInParts()
                ? new Request(comm, started.first(), new Stage.SentInParts(started))
                : new Request(comm, started.first(), false);
    }

    /**
     * Receives from one rank with one tag into an array that the message is copied to as it is: the way of
     * {@link Comm#Recv} for the basic types.
     *
     * <p>Checks and call are one method on purpose. {@link Comm#Recv} has to stay small as machine code, or it is not
     * inlined where it is called, and then the status that it returns is allocated for every message. So what it calls
     * must not be inlined into it, and a method of more than 325 bytes of bytecode never is (HotSpot's
     * {@code FreqInlineSize}).
     *
     * @return bytes received
     */
    static long receive(Comm comm, Object buffer, int offset, int count, Datatype type, int source, int tag) {
        try {
            if (source >= comm.peerCount()) {
                comm.checkUsable();
                throw Errors.wrong(
                        ErrorClass.RANK,
                        "there is no rank " + source + " to receive from; valid are 0 to " + (comm.peerCount() - 1)
                                + ", MPI.ANY_SOURCE and MPI.PROC_NULL");
            }
            int length = switch (type.elementBytes) {
                case Byte.BYTES -> ((byte[]) buffer).length;
                case Short.BYTES -> buffer instanceof char[] chars ? chars.length : ((short[]) buffer).length;
                case Integer.BYTES -> buffer instanceof int[] ints ? ints.length : ((float[]) buffer).length;
                default -> buffer instanceof double[] doubles ? doubles.length : ((long[]) buffer).length;
            };
            if (count < 0) {
                throw Errors.wrong(ErrorClass.COUNT, "count must not be negative, it is " + count);
            }
            if (offset < 0 || offset > length) {
                throw Errors.wrong(
                        ErrorClass.BUFFER,
                        "offset " + offset + " is not within the buffer, an array of " + length + " elements");
            }
            long wanted = (long) count * type.itemBytes;
            if (wanted > (long) (length - offset) * type.elementBytes) {
                throw Errors.wrong(
                        ErrorClass.COUNT,
                        count + " items of " + type + " from offset " + offset + " are not within the buffer of "
                                + length + " elements");
            }
            org.galerna.device.Request message = comm.device.recv(
                    buffer, (long) offset * type.elementBytes, wanted, comm.jobRank(source), tag, comm.context(true));
            long received = message.length();
            message.release();
            return received;
        } catch (RuntimeException failure) {
            throw Errors.failed(
                    comm, describe(comm, BLOCKING[RECEIVE], buffer, offset, count, type, "from", source, tag), failure);
        }
    }

    static Status recv(
            Comm comm, Object buffer, int offset, int count, Datatype type, int source, int tag, boolean pt2pt) {
        try {
            if (type != null && type.arrayClass != null && source != Constants.PROC_NULL) {
                Object data = Memory.behind(buffer, type);
                comm.checkReceive(data, offset, count, type, source, tag);
                return recvPlain(comm, data, offset, count, type, source, tag, pt2pt);
            }
            Request request = start(comm, BLOCKING[RECEIVE], buffer, offset, count, type, source, tag, pt2pt);
            request.advance(true);
            return request.take();
        } catch (RuntimeException failure) {
            throw Errors.failed(
                    comm, describe(comm, BLOCKING[RECEIVE], buffer, offset, count, type, "from", source, tag), failure);
        }
    }

    /** Receives what lies in the buffer as it does in the message, with wildcards. */
    private static Status recvPlain(
            Comm comm, Object buffer, int offset, int count, Datatype type, int source, int tag, boolean pt2pt) {
        org.galerna.device.Request message = comm.device.recv(
                buffer,
                (long) offset * type.elementBytes,
                (long) count * type.itemBytes,
                comm.jobSource(source),
                tag == Constants.ANY_TAG ? Device.ANY_TAG : tag,
                comm.context(pt2pt));
        Status status = new Status(comm.rankOf(message.source()), message.tag(), message.length());
        message.release();
        return status;
    }

    /** Whether both messages of an exchange lie in their buffers as they are sent, and both partners exist. */
    static boolean isPlainExchange(Datatype sendType, int dest, Datatype receiveType, int source) {
        return sendType != null
                && sendType.arrayClass != null
                && receiveType != null
                && receiveType.arrayClass != null
                && dest >= 0
                && source != Constants.PROC_NULL;
    }

    /** Sends and receives at once; see {@link #isPlainExchange}. */
    static Status exchangePlain(
            Comm comm,
            Object sendBuffer,
            int sendOffset,
            int sendCount,
            Datatype sendType,
            int dest,
            int sendTag,
            Object receiveBuffer,
            int receiveOffset,
            int receiveCount,
            Datatype receiveType,
            int source,
            int receiveTag) {
        try {
            Object outgoing = Memory.behind(sendBuffer, sendType);
            Object incoming = Memory.behind(receiveBuffer, receiveType);
            comm.checkSend(outgoing, sendOffset, sendCount, sendType, dest, sendTag);
            comm.checkReceive(incoming, receiveOffset, receiveCount, receiveType, source, receiveTag);
            Device device = comm.device;
            int context = comm.context(true);
            org.galerna.device.Request message = device.irecv(
                    incoming,
                    (long) receiveOffset * receiveType.elementBytes,
                    (long) receiveCount * receiveType.itemBytes,
                    comm.jobSource(source),
                    receiveTag == Constants.ANY_TAG ? Device.ANY_TAG : receiveTag,
                    context);
            try {
                device.send(
                        outgoing,
                        (long) sendOffset * sendType.elementBytes,
                        (long) sendCount * sendType.itemBytes,
                        comm.jobRank(dest),
                        sendTag,
                        context);
            } catch (RuntimeException failure) {
                message.cancel();
                throw failure;
            }
            message.await();
            Status status = new Status(comm.rankOf(message.source()), message.tag(), message.length());
            message.release();
            return status;
        } catch (RuntimeException failure) {
            throw Errors.failed(
                    comm,
                    describe(comm, "Sendrecv", sendBuffer, sendOffset, sendCount, sendType, "to", dest, sendTag)
                            + ", and " + receiveCount + " items of " + receiveType + " from " + describePeer(source),
                    failure);
        }
    }

    static Request irecv(
            Comm comm, Object buffer, int offset, int count, Datatype type, int source, int tag, boolean pt2pt) {
        return start(comm, NONBLOCKING[RECEIVE], buffer, offset, count, type, source, tag, pt2pt);
    }

    private static Request start(
            Comm comm,
            String call,
            Object buffer,
            int offset,
            int count,
            Datatype type,
            int source,
            int tag,
            boolean pt2pt) {
        try {
            Object data = Memory.behind(buffer, type);
            comm.checkReceive(data, offset, count, type, source, tag);
            if (source == Constants.PROC_NULL) {
                return new Request(comm, null, new Stage.Done(Stage.Result.OF_NOBODY));
            }
            int from = comm.jobSource(source);
            int wanted = tag == Constants.ANY_TAG ? Device.ANY_TAG : tag;
            int context = comm.context(pt2pt);
            Device device = comm.device;
            if (type.isObject()) {
                ObjectReceive objects = comm.session.objects().receive(from, wanted, context, comm.restContext());
                return new Request(
                        comm,
                        objects.first(),
                        new ObjectsReceive(objects, type.inside, (Object[]) data, offset, count));
            }
            long length = (long) count * type.itemBytes;
            if (type.isBlock(count)) {
                return new Request(comm, device.irecv(data, type.startOf(offset), length, from, wanted, context), true);
            }
            Object row = row(comm, data, offset, count, type, from);
            if (row != null) {
                return new Request(comm, device.irecv(row, 0, length, from, wanted, context), true);
            }
            Staging staging = comm.session.staging();
            Object packed = staging.take(type.layout, type.element(), count);
            return new Request(
                    comm,
                    device.irecv(packed, 0, length, from, wanted, context),
                    new PackedReceive(type.inside, packed, data, offset, count, staging));
        } catch (RuntimeException failure) {
            throw Errors.failed(comm, describe(comm, call, buffer, offset, count, type, "from", source, tag), failure);
        }
    }

    /** What {@link Comm#Sendrecv_replace} does: the outgoing message is a copy. */
    static Status exchange(
            Comm comm,
            Object buffer,
            int offset,
            int count,
            Datatype type,
            int dest,
            int sendTag,
            int source,
            int receiveTag) {
        try {
            Object data = Memory.behind(buffer, type);
            comm.checkSend(data, offset, count, type, dest, sendTag);
            comm.checkReceive(data, offset, count, type, source, receiveTag);
            int context = comm.context(true);
            boolean sending = dest != Constants.PROC_NULL;
            boolean objects = sending && type.isObject();
            ObjectChannel channel = comm.session.objects();
            ObjectChannel.Message message =
                    objects ? channel.encode(type.layout, (Object[]) data, offset, count) : null;
            Staging staging = comm.session.staging();
            Object copy = sending && !objects ? staging.pack(type.layout, type.element(), data, offset, count) : null;
            Request receive = irecv(comm, data, offset, count, type, source, receiveTag, true);
            try {
                if (message != null) {
                    channel.send(message, false, comm.jobRank(dest), sendTag, context, comm.restContext());
                } else if (copy != null) {
                    comm.device.send(copy, 0, (long) count * type.itemBytes, comm.jobRank(dest), sendTag, context);
                    staging.give(type.elementOfOperation(), copy);
                }
            } catch (RuntimeException failure) {
                receive.Cancel();
                throw failure;
            }
            return receive.Wait();
        } catch (RuntimeException failure) {
            throw Errors.failed(
                    comm,
                    describe(comm, "Sendrecv_replace", buffer, offset, count, type, "to", dest, sendTag) + ", from "
                            + describePeer(source),
                    failure);
        }
    }

    /** The status of a receive from nobody. */
    static Status nullProcess() {
        return new Status(Constants.PROC_NULL, Constants.ANY_TAG, 0L);
    }

    /** What went wrong on the way that {@link Comm} takes past all checks: the checks find out, or the device told. */
    static MPIException sendFailed(
            Comm comm,
            String call,
            RuntimeException failure,
            Object buffer,
            int offset,
            int count,
            Datatype type,
            int dest,
            int tag) {
        RuntimeException cause = failure;
        try {
            comm.checkSend(Memory.behind(buffer, type), offset, count, type, dest, tag);
        } catch (RuntimeException wrongArgument) {
            cause = wrongArgument;
        }
        return Errors.failed(comm, describe(comm, call, buffer, offset, count, type, "to", dest, tag), cause);
    }

    /** As {@link #sendFailed}, for a receive. */
    static MPIException receiveFailed(
            Comm comm,
            String call,
            RuntimeException failure,
            Object buffer,
            int offset,
            int count,
            Datatype type,
            int source,
            int tag) {
        RuntimeException cause = failure;
        try {
            comm.checkReceive(Memory.behind(buffer, type), offset, count, type, source, tag);
        } catch (RuntimeException wrongArgument) {
            cause = wrongArgument;
        }
        return Errors.failed(comm, describe(comm, call, buffer, offset, count, type, "from", source, tag), cause);
    }

    /** What went wrong at the start of a persistent request. */
    static MPIException startFailed(
            Comm comm,
            int mode,
            RuntimeException failure,
            Object buffer,
            int offset,
            int count,
            Datatype type,
            int peer,
            int tag) {
        String preposition = mode == RECEIVE ? "from" : "to";
        String call = "Prequest.Start of " + BLOCKING[mode];
        return Errors.failed(comm, describe(comm, call, buffer, offset, count, type, preposition, peer, tag), failure);
    }

    private static String describe(
            Comm comm,
            String call,
            @Nullable Object buffer,
            int offset,
            int count,
            @Nullable Datatype type,
            String preposition,
            int peer,
            int tag) {
        return call + " on rank " + comm.describeSelf() + ", " + count + " items of " + type + " at offset " + offset
                + " of " + describe(buffer) + ", " + preposition + " "
                + describePeer(peer) + ", tag " + (tag == Constants.ANY_TAG ? "MPI.ANY_TAG" : tag);
    }

    private static String describe(@Nullable Object buffer) {
        return switch (buffer) {
            case null -> "null";
            case MemorySegment segment -> "a segment of " + segment.byteSize() + " bytes";
            default -> buffer.getClass().getTypeName();
        };
    }

    static String describeProbe(String call, Comm comm, int source, int tag) {
        return call + " on rank " + comm.describeSelf() + " for a message from " + describePeer(source) + ", tag "
                + (tag == Constants.ANY_TAG ? "MPI.ANY_TAG" : tag);
    }

    private static String describePeer(int peer) {
        return switch (peer) {
            case Constants.ANY_SOURCE -> "MPI.ANY_SOURCE";
            case Constants.PROC_NULL -> "MPI.PROC_NULL";
            default -> "rank " + peer;
        };
    }
}
