package org.galerna.mpi.collective;

import org.galerna.collectives.reduction.Reduction;
import org.galerna.device.DeviceException;
import org.galerna.device.ErrorClass;
import org.galerna.mpi.comm.Communicator;
import org.galerna.mpi.datatype.Datatype;
import org.jspecify.annotations.Nullable;

/**
 * The collectives that block, on arrays that hold the items as they travel: most calls of most programs. They need no
 * memory besides, so nothing is made on the way. Each method says whether it has carried the operation out; if it has not,
 * {@link DataMovement} and {@link Reductions} do, or say what is wrong with the arguments.
 *
 * <p>Ranks share this code, and a root does not do what the others do: objects that only one of them makes would be left
 * to the garbage collector, however well one rank's calls are compiled.
 */
final class PlainCollectives {
    private PlainCollectives() {}

    static boolean bcast(Communicator comm, Object buffer, int offset, int count, @Nullable Datatype type, int root) {
        if (type == null || !isPlain(buffer, type)) {
            return false;
        }
        type.check(buffer, offset, count);
        comm.collectives().bcast(buffer, type.startOf(offset), length(count, type), root);
        return true;
    }

    static boolean gather(
            Communicator comm,
            Object send,
            int sendOffset,
            int sendCount,
            @Nullable Datatype sendType,
            Object receive,
            int receiveOffset,
            int receiveCount,
            @Nullable Datatype receiveType,
            int root) {
        if (sendType == null || !isPlain(send, sendType)) {
            return false;
        }
        sendType.check(send, sendOffset, sendCount);
        long length = length(sendCount, sendType);
        if (comm.rank() != root) {
            comm.collectives().gather(send, sendType.startOf(sendOffset), length, null, 0, root);
            return true;
        }
        if (receiveType == null || !isPlain(receive, receiveType) || length != length(receiveCount, receiveType)) {
            return false;
        }
        checkAll(comm, receive, receiveOffset, receiveCount, receiveType);
        comm.collectives()
                .gather(send, sendType.startOf(sendOffset), length, receive, receiveType.startOf(receiveOffset), root);
        return true;
    }

    static boolean scatter(
            Communicator comm,
            Object send,
            int sendOffset,
            int sendCount,
            @Nullable Datatype sendType,
            Object receive,
            int receiveOffset,
            int receiveCount,
            @Nullable Datatype receiveType,
            int root) {
        if (receiveType == null || !isPlain(receive, receiveType)) {
            return false;
        }
        long length = length(receiveCount, receiveType);
        if (comm.rank() != root) {
            receiveType.check(receive, receiveOffset, receiveCount);
            comm.collectives().scatter(null, 0, receive, receiveType.startOf(receiveOffset), length, root);
            return true;
        }
        if (sendType == null || !isPlain(send, sendType) || length != length(sendCount, sendType)) {
            return false;
        }
        checkAll(comm, send, sendOffset, sendCount, sendType);
        receiveType.check(receive, receiveOffset, receiveCount);
        comm.collectives()
                .scatter(send, sendType.startOf(sendOffset), receive, receiveType.startOf(receiveOffset), length, root);
        return true;
    }

    static boolean allgather(
            Communicator comm,
            Object send,
            int sendOffset,
            int sendCount,
            @Nullable Datatype sendType,
            Object receive,
            int receiveOffset,
            int receiveCount,
            @Nullable Datatype receiveType) {
        if (sendType == null || receiveType == null || !isPlain(send, sendType) || !isPlain(receive, receiveType)) {
            return false;
        }
        long length = length(sendCount, sendType);
        if (length != length(receiveCount, receiveType)) {
            return false;
        }
        sendType.check(send, sendOffset, sendCount);
        checkAll(comm, receive, receiveOffset, receiveCount, receiveType);
        comm.collectives()
                .allgather(send, sendType.startOf(sendOffset), length, receive, receiveType.startOf(receiveOffset));
        return true;
    }

    static boolean alltoall(
            Communicator comm,
            Object send,
            int sendOffset,
            int sendCount,
            @Nullable Datatype sendType,
            Object receive,
            int receiveOffset,
            int receiveCount,
            @Nullable Datatype receiveType) {
        if (sendType == null
                || receiveType == null
                || send == receive
                || !isPlain(send, sendType)
                || !isPlain(receive, receiveType)) {
            return false;
        }
        long length = length(sendCount, sendType);
        if (length != length(receiveCount, receiveType)) {
            return false;
        }
        checkAll(comm, send, sendOffset, sendCount, sendType);
        checkAll(comm, receive, receiveOffset, receiveCount, receiveType);
        comm.collectives()
                .alltoall(send, sendType.startOf(sendOffset), receive, receiveType.startOf(receiveOffset), length);
        return true;
    }

    static boolean reduce(
            Communicator comm,
            Object send,
            int sendOffset,
            Object receive,
            int receiveOffset,
            int count,
            @Nullable Datatype type,
            @Nullable Operation op,
            int root) {
        if (type == null || op == null || !isPlain(send, type)) {
            return false;
        }
        Reduction reduction = Reductions.plain(op, type);
        if (reduction == null) {
            return false;
        }
        type.check(send, sendOffset, count);
        int elements = Reductions.elements(op, type, count);
        long start = type.startOf(sendOffset);
        if (comm.rank() != root) {
            comm.collectives().reduce(send, start, null, 0, elements, reduction, root);
            return true;
        }
        if (!isPlain(receive, type) || overlap(send, sendOffset, receive, receiveOffset)) {
            return false;
        }
        type.check(receive, receiveOffset, count);
        comm.collectives().reduce(send, start, receive, type.startOf(receiveOffset), elements, reduction, root);
        return true;
    }

    static boolean allreduce(
            Communicator comm,
            Object send,
            int sendOffset,
            Object receive,
            int receiveOffset,
            int count,
            @Nullable Datatype type,
            @Nullable Operation op) {
        return vector(comm, send, sendOffset, receive, receiveOffset, count, type, op, false);
    }

    static boolean scan(
            Communicator comm,
            Object send,
            int sendOffset,
            Object receive,
            int receiveOffset,
            int count,
            @Nullable Datatype type,
            @Nullable Operation op) {
        return vector(comm, send, sendOffset, receive, receiveOffset, count, type, op, true);
    }

    /** A reduction whose result is as long as the operand, and on every rank; it must not overlap the operand. */
    private static boolean vector(
            Communicator comm,
            Object send,
            int sendOffset,
            Object receive,
            int receiveOffset,
            int count,
            @Nullable Datatype type,
            @Nullable Operation op,
            boolean prefix) {
        if (type == null
                || op == null
                || !isPlain(send, type)
                || !isPlain(receive, type)
                || overlap(send, sendOffset, receive, receiveOffset)) {
            return false;
        }
        Reduction reduction = Reductions.plain(op, type);
        if (reduction == null) {
            return false;
        }
        type.check(send, sendOffset, count);
        type.check(receive, receiveOffset, count);
        int elements = Reductions.elements(op, type, count);
        long from = type.startOf(sendOffset);
        long to = type.startOf(receiveOffset);
        if (prefix) {
            comm.collectives().scan(send, from, receive, to, elements, reduction);
        } else {
            comm.collectives().allreduce(send, from, receive, to, elements, reduction);
        }
        return true;
    }

    private static boolean isPlain(@Nullable Object buffer, Datatype type) {
        return buffer != null && buffer.getClass() == type.arrayClass();
    }

    private static boolean overlap(Object send, int sendOffset, Object receive, int receiveOffset) {
        return send == receive && sendOffset != receiveOffset;
    }

    /** Bytes of {@code count} items; negative if the count is, which the checks then find. */
    private static long length(int count, Datatype type) {
        return (long) count * type.itemBytes();
    }

    /** Checks that a block for each rank lies in an array. */
    private static void checkAll(Communicator comm, Object buffer, int offset, int count, Datatype type) {
        if (count < 0) {
            throw new DeviceException(ErrorClass.COUNT, "count must not be negative, it is " + count);
        }
        type.check(buffer, offset, Math.multiplyExact(count, comm.size()));
    }
}
