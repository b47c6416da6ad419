package org.galerna.mpi.collective;

import org.galerna.collectives.buffer.Blocks;
import org.galerna.device.DeviceException;
import org.galerna.device.ErrorClass;
import org.galerna.mpi.comm.Communicator;
import org.galerna.mpi.datatype.Staging;
import org.galerna.mpi.request.Started;
import org.jspecify.annotations.Nullable;

/**
 * The collectives that bring items from rank to rank. A side is null if the rank has none, because it is not the root,
 * or if it is in place; {@code varying} says whether each rank may have another number of items.
 */
final class DataMovement {
    private DataMovement() {}

    static @Nullable Started bcast(Communicator comm, Execution how, BufferSpec data, int root) {
        if (data.areObjects()) {
            return how.runObjects(comm, ObjectCollectives.bcast(comm, data, root));
        }
        Staging staging = comm.session().staging();
        if (comm.rank() == root) {
            data.outgoing(staging);
        } else {
            data.incoming(staging);
        }
        return how.run(comm, on -> on.bcast(data.array, data.start, data.length(), root), () -> {
            if (comm.rank() != root) {
                data.deliver();
            }
            data.giveBack(staging);
        });
    }

    static @Nullable Started gather(
            Communicator comm,
            Execution how,
            @Nullable BufferSpec send,
            @Nullable BufferSpec receive,
            boolean varying,
            int root) {
        if (areObjects(send, receive)) {
            return how.runObjects(comm, ObjectCollectives.gather(comm, send, receive, root));
        }
        Staging staging = comm.session().staging();
        long length = lengthOfOwn(comm, send, receive);
        Object out = send == null ? null : send.outgoing(staging).array;
        long outStart = send == null ? 0 : send.start;
        Object in = receive == null ? null : receive.incomingBeside(send, staging).array;
        long inStart = receive == null ? 0 : receive.start;
        return how.run(
                comm,
                on -> {
                    if (varying) {
                        Blocks blocks = receive == null ? null : receive.blocks();
                        on.gatherv(out, outStart, length, in, inStart, blocks, root);
                    } else {
                        on.gather(out, outStart, length, in, inStart, root);
                    }
                },
                () -> deliver(send, receive, staging));
    }

    static @Nullable Started allgather(
            Communicator comm, Execution how, @Nullable BufferSpec send, BufferSpec receive) {
        if (areObjects(send, receive)) {
            return how.runObjects(comm, ObjectCollectives.allgather(comm, send, receive));
        }
        Staging staging = comm.session().staging();
        long length = lengthOfOwn(comm, send, receive);
        Object out = send == null ? null : send.outgoing(staging).array;
        long outStart = send == null ? 0 : send.start;
        receive.incomingBeside(send, staging);
        return how.run(
                comm,
                on -> {
                    if (receive.areVarying()) {
                        on.allgatherv(out, outStart, length, receive.array, receive.start, receive.blocks());
                    } else {
                        on.allgather(out, outStart, length, receive.array, receive.start);
                    }
                },
                () -> deliver(send, receive, staging));
    }

    static @Nullable Started scatter(
            Communicator comm,
            Execution how,
            @Nullable BufferSpec send,
            @Nullable BufferSpec receive,
            boolean varying,
            int root) {
        if (areObjects(receive, send)) {
            return how.runObjects(comm, ObjectCollectives.scatter(comm, send, receive, root));
        }
        Staging staging = comm.session().staging();
        long length = lengthOfOwn(comm, receive, send);
        Object out = send == null ? null : send.outgoing(staging).array;
        long outStart = send == null ? 0 : send.start;
        Object in = receive == null ? null : receive.incoming(staging).array;
        long inStart = receive == null ? 0 : receive.start;
        return how.run(
                comm,
                on -> {
                    if (varying) {
                        Blocks blocks = send == null ? null : send.blocks();
                        on.scatterv(out, outStart, blocks, in, inStart, length, root);
                    } else {
                        on.scatter(out, outStart, in, inStart, length, root);
                    }
                },
                () -> deliver(send, receive, staging));
    }

    static @Nullable Started alltoall(Communicator comm, Execution how, @Nullable BufferSpec send, BufferSpec receive) {
        if (areObjects(send, receive)) {
            return how.runObjects(comm, ObjectCollectives.alltoall(comm, send == null ? receive : send, receive));
        }
        Staging staging = comm.session().staging();
        if (send != null) {
            checkEqual(send.length(comm.rank()), receive.length(comm.rank()));
            if (send.sharesMemoryWith(receive)) {
                send.outgoingCopy(staging);
            } else {
                send.outgoing(staging);
            }
        }
        receive.incomingBeside(send, staging);
        Object out = send == null ? null : send.array;
        long outStart = send == null ? 0 : send.start;
        return how.run(
                comm,
                on -> {
                    if (receive.areVarying()) {
                        Blocks blocks = send == null ? null : send.blocks();
                        on.alltoallv(out, outStart, blocks, receive.array, receive.start, receive.blocks());
                    } else {
                        on.alltoall(out, outStart, receive.array, receive.start, receive.length());
                    }
                },
                () -> deliver(send, receive, staging));
    }

    private static void deliver(@Nullable BufferSpec send, @Nullable BufferSpec receive, Staging staging) {
        if (receive != null) {
            receive.deliver();
        }
        giveBack(send, receive, staging);
    }

    static void giveBack(@Nullable BufferSpec send, @Nullable BufferSpec receive, Staging staging) {
        if (send != null) {
            send.giveBack(staging);
        }
        if (receive != null) {
            receive.giveBack(staging);
        }
    }

    /** Whether a collective is one of objects; at least one side is there. */
    private static boolean areObjects(@Nullable BufferSpec one, @Nullable BufferSpec other) {
        if (one == null || other == null) {
            BufferSpec only = one == null ? other : one;
            return only != null && only.areObjects();
        }
        if (one.areObjects() != other.areObjects()) {
            throw new DeviceException(
                    ErrorClass.TYPE,
                    "objects can only be received as objects, but the types are " + one.type + " and " + other.type);
        }
        return one.areObjects();
    }

    /**
     * Bytes of the block of this rank, which must be the same on both sides where it has both.
     *
     * @param one the side with one block
     * @param all the side with a block of each rank
     */
    private static long lengthOfOwn(Communicator comm, @Nullable BufferSpec one, @Nullable BufferSpec all) {
        if (one != null && all != null) {
            checkEqual(one.length(), all.length(comm.rank()));
        }
        return one != null ? one.length() : all != null ? all.length(comm.rank()) : 0;
    }

    private static void checkEqual(long sent, long received) {
        if (sent != received) {
            throw new DeviceException(
                    ErrorClass.COUNT,
                    "this rank has " + sent + " bytes for itself and room for " + received
                            + "; the items sent and received must be as many");
        }
    }
}
