package mpi;

import java.util.Arrays;
import java.util.Objects;
import org.galerna.collectives.buffer.Blocks;
import org.galerna.device.ErrorClass;
import org.galerna.mpj.Layout;
import org.galerna.mpj.ObjectChannel;
import org.jspecify.annotations.Nullable;

/**
 * Collectives of objects: the lengths of the serialized objects are exchanged first, then they are, as bytes. A rank's
 * own objects are serialized too, so that all ranks hold copies; only those that are {@link MPI#IN_PLACE} stay the same
 * objects.
 */
final class ObjectCollectives {
    private static final byte[] NOTHING = {};

    private ObjectCollectives() {}

    static void bcast(Intracomm comm, Items data, int root) {
        boolean atRoot = comm.rank == root;
        byte[] bytes = atRoot ? encode(comm, data, 0) : NOTHING;
        int[] length = {bytes.length};
        comm.collectives().bcast(length, 0, Integer.BYTES, root);
        if (!atRoot) {
            bytes = new byte[length[0]];
        }
        comm.collectives().bcast(bytes, 0, bytes.length, root);
        if (!atRoot) {
            decode(comm, bytes, data, 0);
        }
    }

    static void gather(Intracomm comm, @Nullable Items send, @Nullable Items receive, int root) {
        byte[] own = send == null ? NOTHING : encode(comm, send, 0);
        byte[][] all = gatherBytes(comm, own, root);
        if (all != null && receive != null) {
            decodeAll(comm, all, receive, send == null);
        }
    }

    static void allgather(Intracomm comm, @Nullable Items send, Items receive) {
        byte[] own = send == null ? encode(comm, receive, comm.rank) : encode(comm, send, 0);
        decodeAll(comm, allgatherBytes(comm, own), receive, send == null);
    }

    static void scatter(Intracomm comm, @Nullable Items send, @Nullable Items receive, int root) {
        int[] lengths = new int[comm.size];
        byte[] joined = send == null ? NOTHING : join(encodeAll(comm, send), lengths);
        int[] length = new int[1];
        comm.collectives().scatter(lengths, 0, length, 0, Integer.BYTES, root);
        byte[] own = new byte[length[0]];
        comm.collectives().scatterv(joined, 0, Blocks.packed(lengths, 1), own, 0, own.length, root);
        if (receive != null) {
            decode(comm, own, receive, 0);
        }
    }

    static void alltoall(Intracomm comm, Items send, Items receive) {
        int[] outgoing = new int[comm.size];
        int[] incoming = new int[comm.size];
        byte[] joined = join(encodeAll(comm, send), outgoing);
        comm.collectives().alltoall(outgoing, 0, incoming, 0, Integer.BYTES);
        byte[] received = new byte[Items.total(incoming)];
        comm.collectives().alltoallv(joined, 0, Blocks.packed(outgoing, 1), received, 0, Blocks.packed(incoming, 1));
        decodeAll(comm, split(received, incoming), receive, send == receive);
    }

    static void reduce(Intracomm comm, Items operand, @Nullable Items receive, @Nullable Op op, int root) {
        User_function function = function(op);
        byte[][] all = gatherBytes(comm, encode(comm, operand, 0), root);
        if (all != null && receive != null) {
            @Nullable Object[] combined = combine(comm, all, comm.size, operand, function);
            store(combined, operand.count(0), 0, receive, operand.count(0));
        }
    }

    /** Combines the objects of the first {@code ranks} ranks; without any, what is in the receive buffer stays. */
    static void allreduce(Intracomm comm, Items operand, Items receive, @Nullable Op op, int ranks) {
        User_function function = function(op);
        byte[][] all = allgatherBytes(comm, encode(comm, operand, 0));
        if (ranks > 0) {
            @Nullable Object[] combined = combine(comm, all, ranks, operand, function);
            store(combined, operand.count(0), 0, receive, operand.count(0));
        }
    }

    static void reduceScatter(Intracomm comm, Items operand, Items receive, int[] counts, @Nullable Op op) {
        User_function function = function(op);
        byte[][] all = allgatherBytes(comm, encode(comm, operand, 0));
        @Nullable Object[] combined = combine(comm, all, comm.size, operand, function);
        int before = Items.total(Arrays.copyOf(counts, comm.rank));
        store(combined, operand.count(0), before, receive, counts[comm.rank]);
    }

    private static User_function function(@Nullable Op op) {
        if (op == null || op.function == null) {
            throw Errors.wrong(ErrorClass.OP, op + " is not defined for objects; use an operation of your own");
        }
        op.requireUsable();
        return op.function;
    }

    /** The items combined in the order of the ranks; they lie side by side, with the gaps of the datatype. */
    private static @Nullable Object[] combine(
            Intracomm comm, byte[][] messages, int ranks, Items operand, User_function function) {
        Datatype type = operand.type;
        int count = operand.count(0);
        int length = count == 0 ? 0 : type.layout.span(count);
        int origin = count == 0 ? 0 : type.layout.originIn(count);
        @Nullable Object[] result = new Object[length];
        decode(comm, messages[ranks - 1], type, result, origin, count);
        for (int rank = ranks - 2; rank >= 0; rank--) {
            @Nullable Object[] left = new Object[length];
            decode(comm, messages[rank], type, left, origin, count);
            function.Call(left, origin, result, origin, count, type);
        }
        return result;
    }

    /** Brings {@code items} of {@code total} combined items to the program's buffer. */
    private static void store(@Nullable Object[] combined, int total, int firstItem, Items receive, int items) {
        if (items == 0) {
            return;
        }
        Layout layout = receive.type.layout;
        int origin = layout.originIn(total) + firstItem * layout.extent();
        @Nullable Object[] packed = new Object[items * layout.size()];
        layout.gather(combined, origin, items, packed, 0);
        layout.scatter(packed, 0, packed.length, receive.buffer, receive.offset(0));
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
        byte[] joined = new byte[Items.total(lengths)];
        comm.collectives().gatherv(own, 0, own.length, joined, 0, Blocks.packed(lengths, 1), root);
        return split(joined, lengths);
    }

    private static byte[][] allgatherBytes(Intracomm comm, byte[] own) {
        int[] lengths = new int[comm.size];
        comm.collectives().allgather(new int[] {own.length}, 0, Integer.BYTES, lengths, 0);
        byte[] joined = new byte[Items.total(lengths)];
        comm.collectives().allgatherv(own, 0, own.length, joined, 0, Blocks.packed(lengths, 1));
        return split(joined, lengths);
    }

    private static byte[] join(byte[][] parts, int[] lengths) {
        for (int rank = 0; rank < parts.length; rank++) {
            lengths[rank] = parts[rank].length;
        }
        byte[] joined = new byte[Items.total(lengths)];
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

    private static byte[] encode(Intracomm comm, Items items, int block) {
        return channel(comm)
                .pack(items.type.layout, (@Nullable Object[]) items.buffer, items.offset(block), items.count(block));
    }

    private static byte[][] encodeAll(Intracomm comm, Items items) {
        byte[][] parts = new byte[comm.size][];
        for (int rank = 0; rank < parts.length; rank++) {
            parts[rank] = encode(comm, items, rank);
        }
        return parts;
    }

    private static void decode(Intracomm comm, byte[] message, Items items, int block) {
        decode(comm, message, items.type, (@Nullable Object[]) items.buffer, items.offset(block), items.count(block));
    }

    private static void decode(
            Intracomm comm, byte[] message, Datatype type, @Nullable Object[] buffer, int offset, int count) {
        channel(comm).store(message, message.length, type.layout, buffer, offset, count);
    }

    /** Stores the objects of all ranks, but those of this one only if they are not there already. */
    private static void decodeAll(Intracomm comm, byte[][] messages, Items items, boolean inPlace) {
        for (int rank = 0; rank < messages.length; rank++) {
            if (!inPlace || rank != comm.rank) {
                decode(comm, messages[rank], items, rank);
            }
        }
    }

    private static ObjectChannel channel(Intracomm comm) {
        return Objects.requireNonNull(comm.session).objects();
    }
}
