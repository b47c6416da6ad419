package org.galerna.mpj;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import mpi.Comm;
import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Op;
import mpi.Prequest;
import mpi.Request;
import mpi.Status;

/**
 * Messages of all kinds between two ranks, so many of each that the virtual machine counts which branches they take and which classes
 * they meet. An ahead-of-time cache keeps these counts (JEP 515). Whoever starts from it compiles a method with all its branches from
 * the first time on, and need not discard it when a program goes on to other sizes, types, requests or collectives.
 *
 * <p>Both ranks call this at the same time. Ranks behind the first two do nothing.
 */
final class Training {
    /** How often each kind is done, before the next kind is. */
    private static final int BATCH = 50;

    /** In so many rounds most methods reach 5,000 calls, with which the virtual machine takes them for counted to the end. */
    private static final int ROUNDS = 40;

    /** Where ranks have no processor of their own, each message takes so long that fewer must do. */
    private static final Duration LIMIT = Duration.ofSeconds(3);

    /** Of messages that take long there are fewer, by this factor. */
    private static final int FEWER = 25;

    /** Longer than a rank spins for a message, and not so long that it sleeps. */
    private static final Duration BUSY = Duration.ofNanos(300_000);

    /** Longer than a rank looks for a message before it sleeps. */
    private static final Duration LATE = Duration.ofMillis(5);

    private static final int TAG = 1;
    private static final int ANOTHER_TAG = 2;
    private static final int WINDOW = 16;
    private static final int SHORT = 8;
    private static final int MEDIUM = 256;
    private static final int LONG = 1 << 20;
    private static final int BLOCK = 4;
    private static final int[] LENGTHS = {0, 1, SHORT, 64, 512, 4 << 10, 16 << 10};
    private static final int[] LONG_LENGTHS = {64 << 10, 256 << 10, LONG};
    private static final int ATTACHED = 64 << 10;

    private final Intracomm world;
    private final int rank;
    private final int partner;
    private final byte[] out = new byte[LONG];
    private final byte[] in = new byte[LONG];
    private final Object[] arrays = arrays();
    private final Object[] received = arrays();
    private final Datatype[] types = {
        MPI.BYTE, MPI.CHAR, MPI.SHORT, MPI.INT, MPI.LONG, MPI.FLOAT, MPI.DOUBLE, MPI.BOOLEAN
    };
    private final Object[] outside;
    private final List<Datatype> derived;
    private final Prequest[] persistent;
    private final Request[] window = new Request[WINDOW];
    private final long end = System.nanoTime() + LIMIT.toNanos();
    private boolean goesOn = true;

    private Training(Intracomm world) {
        this.world = world;
        rank = world.Rank();
        partner = 1 - rank;
        outside = new Object[] {MPI.allocate(LONG), ByteBuffer.allocateDirect(LONG), ByteBuffer.allocate(LONG)};
        derived = List.of(
                Datatype.Vector(16, 2, 4, MPI.DOUBLE),
                Datatype.Vector(16, 1, 4, MPI.INT),
                Datatype.Contiguous(BLOCK, MPI.INT),
                Datatype.Indexed(new int[] {1, 2, 1}, new int[] {0, 3, 9}, MPI.LONG));
        derived.forEach(Datatype::Commit);
        persistent = new Prequest[] {
            world.Recv_init(in, 0, 512, MPI.BYTE, partner, TAG), world.Send_init(out, 0, 512, MPI.BYTE, partner, TAG)
        };
    }

    private static Object[] arrays() {
        return new Object[] {
            new byte[LONG],
            new char[ATTACHED],
            new short[ATTACHED],
            new int[ATTACHED],
            new long[ATTACHED],
            new float[ATTACHED],
            new double[ATTACHED],
            new boolean[ATTACHED]
        };
    }

    /** Trains on the first two ranks. */
    static void run(Intracomm world) {
        boolean trains = world.Rank() < 2;
        Comm pair = world.Split(trains ? 0 : 1, world.Rank());
        if (trains && pair instanceof Intracomm both) {
            new Training(both).run();
        }
    }

    private void run() {
        MPI.Buffer_attach(ByteBuffer.allocateDirect(ATTACHED));
        for (int round = 0; round < ROUNDS && goesOn; round++) {
            pointToPoint();
            requests();
            collectives();
            if (round == 0) {
                interrupted();
            }
        }
        MPI.Buffer_detach();
    }

    /** Does one kind of message some times, unless the time is over. */
    private void repeat(int times, Runnable kind) {
        if (!goesOn) {
            return;
        }
        for (int index = 0; index < times; index++) {
            kind.run();
        }
        goesOn = isBefore(end, world);
    }

    /** Whether a time has not come yet, by the clock of the first rank. All ranks call this at the same time. */
    static boolean isBefore(long end, Intracomm ranks) {
        boolean[] before = {System.nanoTime() - end < 0};
        ranks.Bcast(before, 0, 1, MPI.BOOLEAN, 0);
        return before[0];
    }

    private void pointToPoint() {
        for (int length : LENGTHS) {
            repeat(BATCH, () -> pingPong(out, in, length, MPI.BYTE));
        }
        for (int length : LONG_LENGTHS) {
            repeat(BATCH / FEWER, () -> pingPong(out, in, length, MPI.BYTE));
        }
        for (int type = 0; type < types.length; type++) {
            Object array = arrays[type];
            Datatype datatype = types[type];
            repeat(BATCH, () -> pingPong(array, array, 2, datatype));
            repeat(BATCH / FEWER, () -> pingPong(array, array, ATTACHED / SHORT, datatype));
            repeat(BATCH / FEWER, () -> pingPong(array, array, ATTACHED, datatype));
        }
        for (Object buffer : outside) {
            repeat(BATCH, () -> pingPong(buffer, buffer, SHORT, MPI.BYTE));
            repeat(BATCH / FEWER, () -> pingPong(buffer, buffer, LONG, MPI.BYTE));
        }
        for (int index = 0; index < derived.size(); index++) {
            Object array = index == 0 ? arrays[6] : index == 3 ? arrays[4] : arrays[3];
            Datatype datatype = derived.get(index);
            repeat(BATCH, () -> pingPong(array, array, BLOCK, datatype));
        }
        Object[] objects = {"text", List.of(1, 2)};
        repeat(BATCH / FEWER, () -> pingPong(objects, new Object[2], 2, MPI.OBJECT));
        repeat(BATCH, this::otherModes);
        repeat(BATCH, this::anySource);
        repeat(BATCH, this::probe);
        repeat(
                BATCH,
                () -> world.Sendrecv(out, 0, MEDIUM, MPI.BYTE, partner, TAG, in, 0, MEDIUM, MPI.BYTE, partner, TAG));
        repeat(BATCH, () -> world.Sendrecv(out, 0, SHORT, MPI.BYTE, rank, TAG, in, 0, SHORT, MPI.BYTE, rank, TAG));
        repeat(BATCH, () -> world.Sendrecv_replace(out, 0, SHORT, MPI.BYTE, partner, TAG, partner, TAG));
    }

    private void requests() {
        repeat(BATCH, () -> {
            Request receive = world.Irecv(in, 0, SHORT, MPI.BYTE, partner, TAG);
            Request send = world.Isend(out, 0, SHORT, MPI.BYTE, partner, TAG);
            receive.Wait();
            send.Wait();
        });
        repeat(BATCH, () -> {
            Request receive = world.Irecv(in, 0, 64, MPI.BYTE, MPI.ANY_SOURCE, MPI.ANY_TAG);
            Request send = world.Issend(out, 0, 64, MPI.BYTE, partner, TAG);
            Request.Waitany(new Request[] {receive, send});
            Request.Waitall(new Request[] {receive, send});
        });
        repeat(BATCH, () -> {
            Request receive = world.Irecv(in, 0, SHORT, MPI.BYTE, partner, TAG);
            world.Isend(out, 0, SHORT, MPI.BYTE, partner, TAG).Wait();
            while (receive.Test() == null) {
                Thread.onSpinWait();
            }
        });
        repeat(BATCH / FEWER, () -> {
            Request receive = world.Irecv(in, 0, LONG, MPI.BYTE, partner, TAG);
            Request send = world.Isend(out, 0, LONG, MPI.BYTE, partner, TAG);
            Request.Waitall(new Request[] {send, receive});
        });
        repeat(BATCH, () -> {
            Prequest.Startall(persistent);
            Request.Waitall(persistent);
        });
        for (int sender = 0; sender < 2; sender++) {
            boolean sends = rank == sender;
            repeat(BATCH / WINDOW, () -> window(sends, SHORT));
            repeat(BATCH / WINDOW, () -> window(sends, MEDIUM));
            repeat(1, () -> unexpected(sends, SHORT));
            repeat(1, () -> unexpected(sends, MEDIUM));
            repeat(1, () -> unexpected(sends, 4 << 10));
        }
    }

    /** Ranks whose processors somebody else wants, and messages that come late; also where the time is over. */
    private void interrupted() {
        AtomicBoolean over = new AtomicBoolean();
        for (int thread = 0; thread < 2 * Runtime.getRuntime().availableProcessors(); thread++) {
            Thread.ofPlatform().daemon().start(() -> {
                while (!over.get()) {
                    Thread.onSpinWait();
                }
            });
        }
        try {
            for (int round = 0; round < BATCH; round++) {
                pingPong(out, in, SHORT, MPI.BYTE);
            }
            for (int round = 0; round < BATCH / FEWER; round++) {
                pingPong(out, in, LONG, MPI.BYTE);
            }
        } finally {
            over.set(true);
        }
        for (int sender = 0; sender < 2; sender++) {
            for (int round = 0; round < BATCH; round++) {
                busy(rank == sender);
            }
            late(rank == sender);
            late(rank == sender);
        }
    }

    /** The receiver has looked for long when the message comes, and nobody else wants its processor. */
    private void busy(boolean sends) {
        if (sends) {
            long end = System.nanoTime() + BUSY.toNanos();
            while (System.nanoTime() - end < 0) {
                Thread.onSpinWait();
            }
            world.Send(out, 0, SHORT, MPI.BYTE, partner, TAG);
        } else {
            world.Recv(in, 0, SHORT, MPI.BYTE, partner, TAG);
        }
    }

    /** The receiver sleeps until the first message comes, and waits for the second one. */
    private void late(boolean sends) {
        if (sends) {
            LockSupport.parkNanos(LATE.toNanos());
            world.Send(out, 0, SHORT, MPI.BYTE, partner, ANOTHER_TAG);
            world.Send(out, 0, SHORT, MPI.BYTE, partner, TAG);
        } else {
            world.Recv(in, 0, SHORT, MPI.BYTE, partner, TAG);
            world.Recv(in, 0, SHORT, MPI.BYTE, partner, ANOTHER_TAG);
        }
    }

    /** All messages come before the first one is asked for. */
    private void unexpected(boolean sends, int length) {
        if (sends) {
            for (int index = 0; index < WINDOW; index++) {
                world.Send(out, 0, length, MPI.BYTE, partner, TAG);
            }
            world.Send(out, 0, 1, MPI.BYTE, partner, ANOTHER_TAG);
        } else {
            world.Recv(in, 0, 1, MPI.BYTE, partner, ANOTHER_TAG);
            for (int index = 0; index < WINDOW; index++) {
                world.Recv(in, 0, length, MPI.BYTE, partner, TAG);
            }
        }
    }

    private void window(boolean sends, int length) {
        for (int index = 0; index < WINDOW; index++) {
            window[index] = sends
                    ? world.Isend(out, 0, length, MPI.BYTE, partner, TAG)
                    : world.Irecv(in, index * length, length, MPI.BYTE, partner, TAG);
        }
        Request.Waitall(window);
        if (sends) {
            world.Recv(in, 0, 1, MPI.BYTE, partner, TAG);
        } else {
            world.Send(out, 0, 1, MPI.BYTE, partner, TAG);
        }
    }

    private void collectives() {
        for (int length : new int[] {1, SHORT, MEDIUM, 4 << 10}) {
            int times = length < 4 << 10 ? BATCH / 2 : 2;
            for (int type : new int[] {0, 3, 6}) { // byte, int and double, as most programs have them
                moves(times, arrays[type], received[type], length, types[type]);
                if (type > 0) {
                    sums(times, arrays[type], received[type], length, types[type]);
                }
            }
        }
        repeat(BATCH, world::Barrier);
        repeat(BATCH, () -> {
            Request barrier = world.Ibarrier();
            Request sum = world.Iallreduce(arrays[3], 0, arrays[3], SHORT, SHORT, MPI.INT, MPI.MAX);
            Request.Waitall(new Request[] {barrier, sum});
        });
    }

    private void moves(int times, Object array, Object target, int count, Datatype type) {
        int[] counts = {count, count};
        int[] places = {0, count};
        int far = 4 * count;
        repeat(times, () -> {
            for (int root = 0; root < 2; root++) {
                world.Bcast(array, 0, count, type, root);
                world.Gather(array, 0, count, type, target, far, count, type, root);
                world.Scatter(array, far, count, type, target, 0, count, type, root);
            }
            world.Allgather(array, 0, count, type, target, far, count, type);
            world.Alltoall(array, 0, count, type, target, far, count, type);
            world.Gatherv(array, 0, count, type, target, far, counts, places, type, 0);
            world.Scatterv(array, far, counts, places, type, target, 0, count, type, 0);
            world.Allgatherv(array, 0, count, type, target, far, counts, places, type);
            world.Alltoallv(array, 0, counts, places, type, target, far, counts, places, type);
        });
    }

    private void sums(int times, Object array, Object target, int count, Datatype type) {
        int[] counts = {count, count};
        int far = 4 * count;
        for (Op operation : new Op[] {MPI.SUM, MPI.MAX, MPI.MIN}) {
            repeat(operation == MPI.SUM ? times : Math.max(1, times / 4), () -> {
                world.Allreduce(array, 0, target, far, count, type, operation);
                world.Reduce(array, 0, target, far, count, type, operation, 0);
                world.Reduce(array, 0, target, far, count, type, operation, 1);
                world.Reduce_scatter(array, 0, target, far, counts, type, operation);
                world.Scan(array, 0, target, far, count, type, operation);
            });
        }
    }

    private void pingPong(Object source, Object target, int count, Datatype type) {
        if (rank == 0) {
            world.Send(source, 0, count, type, partner, TAG);
            world.Recv(target, 0, count, type, partner, TAG);
        } else {
            world.Recv(target, 0, count, type, partner, TAG);
            world.Send(source, 0, count, type, partner, TAG);
        }
    }

    private void otherModes() {
        if (rank == 0) {
            world.Ssend(out, 0, SHORT, MPI.BYTE, partner, TAG);
            world.Bsend(out, 0, SHORT, MPI.BYTE, partner, TAG);
        }
        world.Recv(in, 0, SHORT, MPI.BYTE, partner, TAG);
        world.Recv(in, 0, SHORT, MPI.BYTE, partner, TAG);
        if (rank == 1) {
            world.Ssend(out, 0, SHORT, MPI.BYTE, partner, TAG);
            world.Bsend(out, 0, SHORT, MPI.BYTE, partner, TAG);
        }
    }

    private void anySource() {
        if (rank == 0) {
            world.Send(out, 0, 64, MPI.BYTE, partner, TAG);
        }
        world.Recv(in, 0, 64, MPI.BYTE, MPI.ANY_SOURCE, MPI.ANY_TAG);
        if (rank == 1) {
            world.Send(out, 0, 64, MPI.BYTE, partner, TAG);
        }
    }

    private void probe() {
        if (rank == 0) {
            world.Send(out, 0, 64, MPI.BYTE, partner, TAG);
        }
        Status status = world.Probe(partner, TAG);
        world.Recv(in, 0, status.Get_count(MPI.BYTE), MPI.BYTE, partner, TAG);
        if (rank == 1) {
            world.Send(out, 0, 64, MPI.BYTE, partner, TAG);
        }
    }
}
