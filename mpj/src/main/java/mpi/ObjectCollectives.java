package mpi;

import java.util.Arrays;
import java.util.Objects;
import org.galerna.collectives.buffer.Blocks;
import org.galerna.device.ErrorClass;
import org.galerna.mpj.ObjectChannel;
import org.jspecify.annotations.Nullable;

/**
 * Collectives of objects: the lengths of the serialized objects are exchanged first, then they are, as bytes. A rank's
 * own objects are serialized too, so that all ranks hold copies.
 */
final class ObjectCollectives {
    private static final byte[] NOTHING = {};

    private ObjectCollectives() {}

    static void bcast(Intracomm comm, Object buffer, int offset, int count, Datatype type, int root) {
        type.check(buffer, offset, count);
        boolean atRoot = comm.rank == root;
        byte[] bytes = atRoot ? encode(comm, buffer, offset, count, type) : NOTHING;
        int[] length = {bytes.length};
        comm.collectives().bcast(length, 0, Integer.BYTES, root);
        if (!atRoot) {
            bytes = new byte[length[0]];
        }
        comm.collectives().bcast(bytes, 0, bytes.length, root);
        if (!atRoot) {
            decode(comm, bytes, buffer, offset, count, type);
        }
    }

    static void gather(
            Intracomm comm,
            Object sendBuffer,
            int sendOffset,
            int sendCount,
            Datatype sendType,
            Object receiveBuffer,
            int receiveOffset,
            int @Nullable [] counts,
            int @Nullable [] displacements,
            Datatype receiveType,
            int root) {
        sendType.check(sendBuffer, sendOffset, sendCount);
        if (counts != null && displacements != null) {
            Dense.checkBlocks(receiveBuffer, receiveOffset, counts, displacements, receiveType);
        }
        byte[] own = encode(comm, sendBuffer, sendOffset, sendCount, sendType);
        byte[][] all = gatherBytes(comm, own, root);
        if (all != null && counts != null && displacements != null) {
            decodeAll(comm, all, receiveBuffer, receiveOffset, counts, displacements, receiveType);
        }
    }

    static void scatter(
            Intracomm comm,
            Object sendBuffer,
            int sendOffset,
            int @Nullable [] counts,
            int @Nullable [] displacements,
            Datatype sendType,
            Object receiveBuffer,
            int receiveOffset,
            int receiveCount,
            Datatype receiveType,
            int root) {
        receiveType.check(receiveBuffer, receiveOffset, receiveCount);
        int[] lengths = new int[comm.size];
        byte[] joined = NOTHING;
        if (counts != null && displacements != null) {
            Dense.checkBlocks(sendBuffer, sendOffset, counts, displacements, sendType);
            joined = join(encodeAll(comm, sendBuffer, sendOffset, counts, displacements, sendType), lengths);
        }
        int[] length = new int[1];
        comm.collectives().scatter(lengths, 0, length, 0, Integer.BYTES, root);
        byte[] own = new byte[length[0]];
        comm.collectives().scatterv(joined, 0, Blocks.packed(lengths, 1), own, 0, own.length, root);
        decode(comm, own, receiveBuffer, receiveOffset, receiveCount, receiveType);
    }

    static void allgather(
            Intracomm comm,
            Object sendBuffer,
            int sendOffset,
            int sendCount,
            Datatype sendType,
            Object receiveBuffer,
            int receiveOffset,
            int[] counts,
            int[] displacements,
            Datatype receiveType) {
        sendType.check(sendBuffer, sendOffset, sendCount);
        Dense.checkBlocks(receiveBuffer, receiveOffset, counts, displacements, receiveType);
        byte[][] all = allgatherBytes(comm, encode(comm, sendBuffer, sendOffset, sendCount, sendType));
        decodeAll(comm, all, receiveBuffer, receiveOffset, counts, displacements, receiveType);
    }

    static void alltoall(
            Intracomm comm,
            Object sendBuffer,
            int sendOffset,
            int[] sendCounts,
            int[] sendDisplacements,
            Datatype sendType,
            Object receiveBuffer,
            int receiveOffset,
            int[] receiveCounts,
            int[] receiveDisplacements,
            Datatype receiveType) {
        Dense.checkBlocks(sendBuffer, sendOffset, sendCounts, sendDisplacements, sendType);
        Dense.checkBlocks(receiveBuffer, receiveOffset, receiveCounts, receiveDisplacements, receiveType);
        int[] outgoing = new int[comm.size];
        int[] incoming = new int[comm.size];
        byte[] joined =
                join(encodeAll(comm, sendBuffer, sendOffset, sendCounts, sendDisplacements, sendType), outgoing);
        comm.collectives().alltoall(outgoing, 0, incoming, 0, Integer.BYTES);
        byte[] received = new byte[Dense.total(incoming)];
        comm.collectives().alltoallv(joined, 0, Blocks.packed(outgoing, 1), received, 0, Blocks.packed(incoming, 1));
        decodeAll(
                comm,
                split(received, incoming),
                receiveBuffer,
                receiveOffset,
                receiveCounts,
                receiveDisplacements,
                receiveType);
    }

    static void reduce(
            Intracomm comm,
            Object sendBuffer,
            int sendOffset,
            Object receiveBuffer,
            int receiveOffset,
            int count,
            Datatype type,
            @Nullable Op op,
            int root) {
        User_function function = function(op);
        type.check(sendBuffer, sendOffset, count);
        if (comm.rank == root) {
            type.check(receiveBuffer, receiveOffset, count);
        }
        byte[][] all = gatherBytes(comm, encode(comm, sendBuffer, sendOffset, count, type), root);
        if (all != null) {
            Object[] combined = combine(comm, all, comm.size, count, type, function);
            store(combined, count, 0, count, receiveBuffer, receiveOffset, type);
        }
    }

    /** Combines the objects of the first {@code ranks} ranks. */
    static void allreduce(
            Intracomm comm,
            Object sendBuffer,
            int sendOffset,
            Object receiveBuffer,
            int receiveOffset,
            int count,
            Datatype type,
            @Nullable Op op,
            int ranks) {
        User_function function = function(op);
        type.check(sendBuffer, sendOffset, count);
        type.check(receiveBuffer, receiveOffset, count);
        byte[][] all = allgatherBytes(comm, encode(comm, sendBuffer, sendOffset, count, type));
        Object[] combined = combine(comm, all, ranks, count, type, function);
        store(combined, count, 0, count, receiveBuffer, receiveOffset, type);
    }

    static void reduceScatter(
            Intracomm comm,
            Object sendBuffer,
            int sendOffset,
            Object receiveBuffer,
            int receiveOffset,
            int[] counts,
            Datatype type,
            @Nullable Op op) {
        User_function function = function(op);
        int total = Dense.total(counts);
        int own = counts[comm.rank];
        type.check(sendBuffer, sendOffset, total);
        type.check(receiveBuffer, receiveOffset, own);
        byte[][] all = allgatherBytes(comm, encode(comm, sendBuffer, sendOffset, total, type));
        Object[] combined = combine(comm, all, comm.size, total, type, function);
        int before = Dense.total(Arrays.copyOf(counts, comm.rank));
        store(combined, total, before, own, receiveBuffer, receiveOffset, type);
    }

    private static User_function function(@Nullable Op op) {
        if (op == null || op.function == null) {
            throw Errors.wrong(ErrorClass.OP, op + " is not defined for objects; use an operation of your own");
        }
        op.requireUsable();
        return op.function;
    }

    /** The items combined in the order of the ranks; they lie side by side, with the gaps of the datatype. */
    private static Object[] combine(
            Intracomm comm, byte[][] messages, int ranks, int count, Datatype type, User_function function) {
        int length = count == 0 ? 0 : type.layout.span(count);
        int origin = count == 0 ? 0 : type.layout.originIn(count);
        Object[] result = new Object[length];
        decode(comm, messages[ranks - 1], result, origin, count, type);
        for (int rank = ranks - 2; rank >= 0; rank--) {
            Object[] left = new Object[length];
            decode(comm, messages[rank], left, origin, count, type);
            function.Call(left, origin, result, origin, count, type);
        }
        return result;
    }

    /** Brings some of {@code total} combined items to the program's buffer. */
    private static void store(
            Object[] combined, int total, int firstItem, int items, Object buffer, int offset, Datatype type) {
        if (items == 0) {
            return;
        }
        int origin = type.layout.originIn(total) + firstItem * type.layout.extent();
        Object[] packed = new Object[items * type.layout.size()];
        type.layout.gather(combined, origin, items, packed, 0);
        type.layout.scatter(packed, 0, packed.length, buffer, offset);
    }

    // ---- bytes of all ranks

    private static byte @Nullable [][] gatherBytes(Intracomm comm, byte[] own, int root) {
        boolean atRoot = comm.rank == root;
        int[] lengths = new int[comm.size];
        comm.collectives().gather(new int[] {own.length}, 0, Integer.BYTES, lengths, 0, root);
        if (!atRoot) {
            comm.collectives().gatherv(own, 0, own.length, null, 0, null, root);
            return null;
        }
        byte[] joined = new byte[Dense.total(lengths)];
        comm.collectives().gatherv(own, 0, own.length, joined, 0, Blocks.packed(lengths, 1), root);
        return split(joined, lengths);
    }

    private static byte[][] allgatherBytes(Intracomm comm, byte[] own) {
        int[] lengths = new int[comm.size];
        comm.collectives().allgather(new int[] {own.length}, 0, Integer.BYTES, lengths, 0);
        byte[] joined = new byte[Dense.total(lengths)];
        comm.collectives().allgatherv(own, 0, own.length, joined, 0, Blocks.packed(lengths, 1));
        return split(joined, lengths);
    }

    private static byte[] join(byte[][] parts, int[] lengths) {
        for (int rank = 0; rank < parts.length; rank++) {
            lengths[rank] = parts[rank].length;
        }
        byte[] joined = new byte[Dense.total(lengths)];
        int position = 0;
        for (byte[] part : parts) {
            System.arraycopy(part, 0, joined, position, part.length);
            position += part.length;
        }
        return joined;
    }

    private static byte[][] split(byte[] joined, int[] lengths) {
        byte[][] parts = new byte[lengths.length][];
        int position = 0;
        for (int rank = 0; rank < parts.length; rank++) {
            parts[rank] = Arrays.copyOfRange(joined, position, position + lengths[rank]);
            position += lengths[rank];
        }
        return parts;
    }

    // ---- objects to bytes and back

    private static byte[] encode(Intracomm comm, Object buffer, int offset, int count, Datatype type) {
        return channel(comm).pack(type.layout, (@Nullable Object[]) buffer, offset, count);
    }

    private static byte[][] encodeAll(
            Intracomm comm, Object buffer, int offset, int[] counts, int[] displacements, Datatype type) {
        byte[][] parts = new byte[counts.length][];
        for (int rank = 0; rank < parts.length; rank++) {
            int at = counts[rank] == 0 ? offset : offset + displacements[rank] * type.layout.extent();
            parts[rank] = encode(comm, buffer, at, counts[rank], type);
        }
        return parts;
    }

    private static void decode(Intracomm comm, byte[] message, Object buffer, int offset, int count, Datatype type) {
        channel(comm).store(message, message.length, type.layout, (@Nullable Object[]) buffer, offset, count);
    }

    private static void decodeAll(
            Intracomm comm,
            byte[][] messages,
            Object buffer,
            int offset,
            int[] counts,
            int[] displacements,
            Datatype type) {
        for (int rank = 0; rank < messages.length; rank++) {
            int at = counts[rank] == 0 ? offset : offset + displacements[rank] * type.layout.extent();
            decode(comm, messages[rank], buffer, at, counts[rank], type);
        }
    }

    private static ObjectChannel channel(Intracomm comm) {
        return Objects.requireNonNull(comm.session).objects();
    }
}
