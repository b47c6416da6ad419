package org.galerna.mpi.collective;

import java.util.Arrays;
import org.galerna.device.DeviceException;
import org.galerna.device.ErrorClass;
import org.galerna.mpi.comm.Communicator;
import org.galerna.mpi.datatype.Datatype;
import org.galerna.mpi.datatype.Layout;
import org.galerna.mpi.object.ObjectChannel;
import org.galerna.mpi.object.ReceiverLoaders;
import org.jspecify.annotations.Nullable;

/**
 * Collectives of objects; see {@link ObjectExchange} for how they travel. Objects are serialized when the operation is
 * called, and deserialized, and combined, by the thread that completes it. A rank's own objects are serialized too, so that all ranks hold copies; only those that are in place stay the same
 * objects.
 */
final class ObjectCollectives {
    private static final byte[] NOTHING = {};

    private ObjectCollectives() {}

    static ObjectExchange bcast(Communicator comm, BufferSpec data, int root) {
        ReceiverLoaders loaders = channel(comm).loaders();
        boolean atRoot = comm.rank() == root;
        byte[] own = atRoot ? encode(comm, data, 0) : NOTHING;
        return ObjectExchange.fromOneToAll(atRoot, own, root, received -> {
            if (!atRoot) {
                decode(comm, loaders, received[0], data, 0);
            }
        });
    }

    static ObjectExchange gather(Communicator comm, @Nullable BufferSpec send, @Nullable BufferSpec receive, int root) {
        ReceiverLoaders loaders = channel(comm).loaders();
        byte[] own = send == null ? NOTHING : encode(comm, send, 0);
        return ObjectExchange.fromAllToOne(comm.size(), comm.rank() == root, own, root, received -> {
            if (receive != null) {
                decodeAll(comm, loaders, received, receive, send == null);
            }
        });
    }

    static ObjectExchange allgather(Communicator comm, @Nullable BufferSpec send, BufferSpec receive) {
        ReceiverLoaders loaders = channel(comm).loaders();
        byte[] own = send == null ? encode(comm, receive, comm.rank()) : encode(comm, send, 0);
        return ObjectExchange.fromAllToAll(
                comm.size(), own, received -> decodeAll(comm, loaders, received, receive, send == null));
    }

    static ObjectExchange scatter(
            Communicator comm, @Nullable BufferSpec send, @Nullable BufferSpec receive, int root) {
        ReceiverLoaders loaders = channel(comm).loaders();
        byte[][] parts = send == null ? new byte[0][] : encodeAll(comm, send);
        return ObjectExchange.fromOneToEach(comm.size(), parts, root, received -> {
            if (receive != null) {
                decode(comm, loaders, received[0], receive, 0);
            }
        });
    }

    static ObjectExchange alltoall(Communicator comm, BufferSpec send, BufferSpec receive) {
        ReceiverLoaders loaders = channel(comm).loaders();
        return ObjectExchange.fromEachToEach(
                encodeAll(comm, send), received -> decodeAll(comm, loaders, received, receive, send == receive));
    }

    static ObjectExchange reduce(
            Communicator comm, BufferSpec operand, @Nullable BufferSpec receive, @Nullable Operation op, int root) {
        ReceiverLoaders loaders = channel(comm).loaders();
        UserFunction function = function(op);
        byte[] own = encode(comm, operand, 0);
        return ObjectExchange.fromAllToOne(comm.size(), comm.rank() == root, own, root, received -> {
            if (receive != null) {
                @Nullable Object[] combined = combine(comm, loaders, received, comm.size(), operand, function);
                store(combined, operand.count(0), 0, receive, operand.count(0));
            }
        });
    }

    /** Combines the objects of the first {@code ranks} ranks; without any, what is in the receive buffer stays. */
    static ObjectExchange allreduce(
            Communicator comm, BufferSpec operand, BufferSpec receive, @Nullable Operation op, int ranks) {
        ReceiverLoaders loaders = channel(comm).loaders();
        UserFunction function = function(op);
        return ObjectExchange.fromAllToAll(comm.size(), encode(comm, operand, 0), received -> {
            if (ranks > 0) {
                @Nullable Object[] combined = combine(comm, loaders, received, ranks, operand, function);
                store(combined, operand.count(0), 0, receive, operand.count(0));
            }
        });
    }

    static ObjectExchange reduceScatter(
            Communicator comm, BufferSpec operand, BufferSpec receive, int[] counts, @Nullable Operation op) {
        ReceiverLoaders loaders = channel(comm).loaders();
        UserFunction function = function(op);
        int before = BufferSpec.total(Arrays.copyOf(counts, comm.rank()));
        int own = counts[comm.rank()];
        return ObjectExchange.fromAllToAll(comm.size(), encode(comm, operand, 0), received -> {
            @Nullable Object[] combined = combine(comm, loaders, received, comm.size(), operand, function);
            store(combined, operand.count(0), before, receive, own);
        });
    }

    private static UserFunction function(@Nullable Operation op) {
        if (op == null || op.function() == null) {
            throw new DeviceException(ErrorClass.OP, op + " is not defined for objects; use an operation of your own");
        }
        op.requireUsable();
        return op.function();
    }

    /** The items combined in the order of the ranks; they lie side by side, with the gaps of the datatype. */
    private static @Nullable Object[] combine(
            Communicator comm,
            ReceiverLoaders loaders,
            byte[][] messages,
            int ranks,
            BufferSpec operand,
            UserFunction function) {
        Datatype type = operand.type;
        int count = operand.count(0);
        int length = count == 0 ? 0 : type.layout().span(count);
        int origin = count == 0 ? 0 : type.layout().originIn(count);
        @Nullable Object[] result = new Object[length];
        decode(comm, loaders, messages[ranks - 1], type, result, origin, count);
        for (int rank = ranks - 2; rank >= 0; rank--) {
            @Nullable Object[] left = new Object[length];
            decode(comm, loaders, messages[rank], type, left, origin, count);
            function.apply(left, origin, result, origin, count);
        }
        return result;
    }

    /** Brings {@code items} of {@code total} combined items to the program's buffer. */
    private static void store(@Nullable Object[] combined, int total, int firstItem, BufferSpec receive, int items) {
        if (items == 0) {
            return;
        }
        Layout layout = receive.type.layout();
        int origin = layout.originIn(total) + firstItem * layout.extent();
        @Nullable Object[] packed = new Object[items * layout.size()];
        layout.gather(combined, origin, items, packed, 0);
        layout.scatter(packed, 0, packed.length, receive.buffer, receive.offset(0));
    }

    // ---- objects to bytes and back

    private static byte[] encode(Communicator comm, BufferSpec items, int block) {
        return channel(comm)
                .pack(items.type.layout(), (@Nullable Object[]) items.buffer, items.offset(block), items.count(block));
    }

    private static byte[][] encodeAll(Communicator comm, BufferSpec items) {
        byte[][] parts = new byte[comm.size()][];
        for (int rank = 0; rank < parts.length; rank++) {
            parts[rank] = encode(comm, items, rank);
        }
        return parts;
    }

    private static void decode(
            Communicator comm, ReceiverLoaders loaders, byte[] message, BufferSpec items, int block) {
        decode(
                comm,
                loaders,
                message,
                items.type,
                (@Nullable Object[]) items.buffer,
                items.offset(block),
                items.count(block));
    }

    private static void decode(
            Communicator comm,
            ReceiverLoaders loaders,
            byte[] message,
            Datatype type,
            @Nullable Object[] buffer,
            int offset,
            int count) {
        channel(comm).store(message, message.length, type.layout(), buffer, offset, count, loaders);
    }

    /** Stores the objects of all ranks, but those of this one only if they are not there already. */
    private static void decodeAll(
            Communicator comm, ReceiverLoaders loaders, byte[][] messages, BufferSpec items, boolean inPlace) {
        for (int rank = 0; rank < messages.length; rank++) {
            if (!inPlace || rank != comm.rank()) {
                decode(comm, loaders, messages[rank], items, rank);
            }
        }
    }

    private static ObjectChannel channel(Communicator comm) {
        return comm.session().objects();
    }
}
