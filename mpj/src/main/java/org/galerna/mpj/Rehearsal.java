package org.galerna.mpj;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import mpi.Datatype;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import mpi.Status;
import mpjbuf.BufferException;
import org.galerna.device.Device;
import org.galerna.device.DeviceException;
import org.galerna.device.Devices;
import org.galerna.link.LinkProvider;
import org.galerna.link.Reach;
import org.galerna.link.Wireup;
import org.galerna.link.wireup.Wireups;

/**
 * A program that does what most programs do, once each: messages of short and long arrays and of objects, posted and
 * unexpected, with and without blocking, from a named rank and from any; a derived datatype, the usual collectives, and a
 * line of results; messages over sockets, as between hosts; and messages through the queues of larger jobs. It lasts until the threads
 * that watch over ranks have looked. So the classes that programs need can be kept ready.
 *
 * <p>With the argument {@value #WITH_LOSS}, for two ranks that are processes, rank 1 ends as if it was killed, and rank 0 fails for that
 * after it has finished: when a rank of a job is lost, all others need these classes at the same time.
 *
 * <p>With the argument {@value #WITH_FAILURE} rank 1 fails at once, as the job then does.
 *
 * <p>With the argument {@value #TRAINING} there are so many messages that the virtual machine has profiles of the methods that they need.
 */
public final class Rehearsal {
    private static final String WITH_LOSS = "with-loss";

    private static final String TRAINING = "training";

    private static final String WITH_FAILURE = "with-failure";

    /** What the system says of a process that was killed by signal 9. */
    private static final int KILLED = 137;

    private static final int LARGE = 64 << 10;
    private static final int LARGER = 1 << 20;
    private static final int TAG = 1;

    /** Of messages from rank 0 that nobody receives; the next one of such that rank 1 leaves unfinished. */
    private static final int UNANSWERED = 2;

    /** Messages over sockets of a rehearsal that trains. */
    private static final int BATCH = 20;

    private static final int BATCHES = 100;

    /** How long they may take, for each rank that begins. */
    private static final Duration LIMIT = Duration.ofMillis(500);

    /** Setting of the links of one host: with it, each rank has a receive queue, as in jobs of more than eight. */
    private static final String RINGS = "galerna.private.rings";

    /** After fewer of them in a row, a pair has a ring of its own beside the queue. */
    private static final int MESSAGES_UNTIL_BUSY = 40;

    /** How much later others leave than rank 0. */
    private static final long LATER_MILLIS = 50;

    /** Some looks of the threads that watch over ranks. */
    private static final long LOOKS_MILLIS = 700;

    private final int rank = MPI.COMM_WORLD.Rank();
    private final int size = MPI.COMM_WORLD.Size();
    private final int next = (rank + 1) % size;
    private final int previous = (rank + size - 1) % size;

    private Rehearsal() {}

    /** Runs on any number of ranks. */
    public static void main(String[] arguments) throws InterruptedException {
        MPI.Init(arguments);
        if (List.of(arguments).contains(WITH_FAILURE)) {
            fail();
        }
        Rehearsal rehearsal = new Rehearsal();
        for (int length : new int[] {1, LARGE}) {
            rehearsal.exchange(new double[length], new double[length]);
            rehearsal.exchangeWithoutBlocking(new double[length], new double[length]);
        }
        rehearsal.exchangeObjects();
        rehearsal.exchangeColumn();
        rehearsal.collectives();
        rehearsal.format();
        boolean trains = List.of(arguments).contains(TRAINING);
        if (trains) {
            Training.run(MPI.COMM_WORLD);
        }
        if (rehearsal.rank == rehearsal.size - 1) {
            Thread.sleep(LOOKS_MILLIS);
        }
        MPI.COMM_WORLD.Barrier(); // in which the others wait, so that they are looked at
        boolean withLoss = List.of(arguments).contains(WITH_LOSS);
        List<Request> unfinished = withLoss ? rehearsal.startLong() : List.of();
        long unused = SegmentForms.link();
        findInClassPath();
        rehearsal.meetInLargerJob();
        rehearsal.meetOverSockets(trains, withLoss);
        if (withLoss) {
            rehearsal.missTheOther(unfinished);
        }
        MPI.COMM_WORLD.Barrier();
        MPI.Finalize();
    }

    /** As a program of which one rank fails while the others wait for it. */
    private static void fail() {
        if (MPI.COMM_WORLD.Rank() == 1) {
            throw new IllegalStateException("a rehearsal of a failure");
        }
        MPI.COMM_WORLD.Barrier();
    }

    /** Long messages between two ranks that the other one leaves alone, before it begins to copy and while it copies. */
    private List<Request> startLong() {
        byte[] bytes = new byte[LARGER];
        Request sent = MPI.COMM_WORLD.Isend(bytes, 0, bytes.length, MPI.BYTE, next, UNANSWERED + rank);
        if (rank == 1) {
            return List.of(sent);
        }
        MPI.COMM_WORLD.Probe(next, UNANSWERED + next);
        return List.of(
                sent, MPI.COMM_WORLD.Irecv(new byte[LARGER], 0, bytes.length, MPI.BYTE, next, UNANSWERED + next));
    }

    /** Over shared memory, if that is how these ranks talk: in each kind of call. */
    private void missTheOther(List<Request> unfinished) {
        byte[] out = new byte[LARGER];
        byte[] in = new byte[LARGER];
        unfinished.forEach(request -> miss(request::Wait));
        miss(() -> MPI.COMM_WORLD.Send(out, 0, out.length, MPI.BYTE, next, TAG));
        miss(() -> MPI.COMM_WORLD.Recv(in, 0, in.length, MPI.BYTE, next, TAG));
        miss(() -> MPI.COMM_WORLD.Sendrecv(
                out, 0, out.length, MPI.BYTE, next, TAG, in, 0, in.length, MPI.BYTE, next, TAG));
        try {
            MPI.COMM_WORLD.Barrier();
        } catch (MPIException lost) {
            MPI.Finalize();
            throw lost;
        }
    }

    private static void miss(Runnable call) {
        try {
            call.run();
        } catch (MPIException | DeviceException lost) {
            return;
        }
        throw new IllegalStateException("the other rank has not ended");
    }

    private void exchange(double[] out, double[] in) {
        MPI.COMM_WORLD.Sendrecv(out, 0, out.length, MPI.DOUBLE, next, TAG, in, 0, in.length, MPI.DOUBLE, previous, TAG);
        if (rank % 2 == 0 && rank + 1 < size) {
            MPI.COMM_WORLD.Send(out, 0, out.length, MPI.DOUBLE, rank + 1, TAG);
            MPI.COMM_WORLD.Recv(in, 0, in.length, MPI.DOUBLE, rank + 1, TAG);
        } else if (rank % 2 == 1) {
            Status found = MPI.COMM_WORLD.Probe(MPI.ANY_SOURCE, MPI.ANY_TAG);
            MPI.COMM_WORLD.Recv(in, 0, found.Get_count(MPI.DOUBLE), MPI.DOUBLE, MPI.ANY_SOURCE, MPI.ANY_TAG);
            MPI.COMM_WORLD.Send(out, 0, out.length, MPI.DOUBLE, rank - 1, TAG);
        }
    }

    private void exchangeWithoutBlocking(double[] out, double[] in) {
        Request sent = MPI.COMM_WORLD.Isend(out, 0, out.length, MPI.DOUBLE, next, TAG);
        Request received = MPI.COMM_WORLD.Irecv(in, 0, in.length, MPI.DOUBLE, previous, TAG);
        received.Wait();
        Request.Waitall(new Request[] {sent});
    }

    private void exchangeObjects() {
        Object[] in = new Object[1];
        MPI.COMM_WORLD.Sendrecv(
                new Object[] {"text"}, 0, 1, MPI.OBJECT, next, TAG, in, 0, 1, MPI.OBJECT, previous, TAG);
    }

    private void exchangeColumn() {
        Datatype column = Datatype.Vector(4, 1, 4, MPI.INT);
        column.Commit();
        int[] matrix = new int[16];
        MPI.COMM_WORLD.Sendrecv(matrix, 0, 1, column, next, TAG, matrix, 1, 1, column, previous, TAG);
    }

    private void collectives() {
        int[] mine = {rank};
        int[] sum = new int[1];
        int[] all = new int[size];
        MPI.COMM_WORLD.Barrier();
        MPI.COMM_WORLD.Bcast(mine, 0, 1, MPI.INT, 0);
        MPI.COMM_WORLD.Reduce(mine, 0, sum, 0, 1, MPI.INT, MPI.SUM, 0);
        MPI.COMM_WORLD.Allreduce(mine, 0, sum, 0, 1, MPI.INT, MPI.MAX);
        MPI.COMM_WORLD.Gather(mine, 0, 1, MPI.INT, all, 0, 1, MPI.INT, 0);
        MPI.COMM_WORLD.Scatter(all, 0, 1, MPI.INT, mine, 0, 1, MPI.INT, 0);
        MPI.COMM_WORLD.Allgather(mine, 0, 1, MPI.INT, all, 0, 1, MPI.INT);
        MPI.COMM_WORLD.Alltoall(all, 0, 1, MPI.INT, new int[size], 0, 1, MPI.INT);
    }

    /** As when the class path has a folder and an archive, which the one of a job that makes a cache must not have. */
    private static void findInClassPath() {
        Path java = Path.of(System.getProperty("java.home"));
        URL archive = Rehearsal.class.getProtectionDomain().getCodeSource().getLocation();
        try (URLClassLoader loader = new URLClassLoader(new URL[] {java.toUri().toURL(), archive}, null)) {
            URL unused = loader.findResource("release");
            Class<?> unusedClass = loader.loadClass(BufferException.class.getName());
        } catch (IOException | ClassNotFoundException neverMind) {
            // programs do it without
        }
    }

    /** As ranks of more than eight do, which have a receive queue each, and then a ring for a busy pair. */
    private void meetInLargerJob() {
        System.setProperty(RINGS, "2");
        Wireup wireup =
                Wireups.find(Thread.currentThread().getContextClassLoader()).orElseThrow();
        try (Device device = Devices.open(Devices.AUTO, wireup)) {
            for (int message = 0; message < MESSAGES_UNTIL_BUSY; message++) {
                exchange(device, new byte[1], rank % 2 == 0);
            }
        } finally {
            System.clearProperty(RINGS);
        }
    }

    /** Once this rank opens the connection, and once its neighbour does, which may end then. */
    private void meetOverSockets(boolean trains, boolean withLoss) throws InterruptedException {
        Wireup wireup =
                Wireups.find(Thread.currentThread().getContextClassLoader()).orElseThrow();
        for (int caller = 0; caller < 2; caller++) {
            try (Device device = Devices.open(overSockets(), wireup)) {
                for (int length : new int[] {1, LARGE, LARGER}) {
                    exchange(device, new byte[length], rank % 2 == caller);
                }
                if (trains) {
                    trainOverSockets(device, rank % 2 == caller);
                }
                if (withLoss && caller == 1) {
                    loseTheOther(device);
                }
                if (rank != 0) {
                    Thread.sleep(LATER_MILLIS); // rank 0 waits until all have left
                }
            }
        }
    }

    /** Until there were many messages, or the time is over. */
    private void trainOverSockets(Device device, boolean begins) {
        byte[] bytes = new byte[1];
        long end = System.nanoTime() + LIMIT.toNanos();
        boolean goesOn = true;
        for (int batch = 0; batch < BATCHES && goesOn; batch++) {
            for (int time = 0; time < BATCH; time++) {
                exchange(device, bytes, begins);
            }
            goesOn = Training.isBefore(end, MPI.COMM_WORLD);
        }
    }

    private void exchange(Device device, byte[] bytes, boolean begins) {
        sendOrReceive(device, bytes, begins);
        sendOrReceive(device, bytes, !begins);
    }

    private void loseTheOther(Device device) {
        if (rank == 1) {
            Runtime.getRuntime().halt(KILLED);
        }
        miss(() -> device.recv(new byte[1], 0, 1, 1, TAG, 0).release());
        miss(() -> device.send(new byte[LARGER], 0, LARGER, 1, TAG, 0));
    }

    /** Name of the device that every host has. */
    private static String overSockets() {
        return LinkProvider.placed().stream()
                .filter(link -> link.reach() == Reach.NETWORK && link.usesSockets())
                .findFirst()
                .flatMap(LinkProvider::device)
                .orElseThrow();
    }

    private void sendOrReceive(Device device, byte[] bytes, boolean sends) {
        int partner = rank ^ 1;
        if (partner < size && sends) {
            device.send(bytes, 0, bytes.length, partner, TAG, 0);
        } else if (partner < size) {
            device.recv(bytes, 0, bytes.length, partner, TAG, 0).release();
        }
    }

    /** A line of results as programs print it. */
    private void format() {
        String unused =
                String.format(Locale.getDefault(Locale.Category.FORMAT), "rank %d of %s: %.3f%n", rank, size, 1.5);
    }
}
