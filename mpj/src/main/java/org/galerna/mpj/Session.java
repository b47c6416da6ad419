package org.galerna.mpj;

import java.lang.foreign.Arena;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.galerna.collectives.CollectiveOptions;
import org.galerna.device.Device;
import org.galerna.device.DeviceException;
import org.galerna.device.Devices;
import org.galerna.device.ErrorClass;
import org.galerna.link.InProcessWireup;
import org.galerna.link.Wireup;
import org.galerna.link.Wireups;
import org.jspecify.annotations.Nullable;

/**
 * A rank between {@code MPI.Init} and {@code MPI.Finalize}: its wire-up, its device, and the numbers that it hands out.
 * May be used by any thread.
 */
public final class Session {
    /** Device contexts of a communicator, beginning at its {@link #reserveContexts base}. */
    public static final int CONTEXTS_PER_COMMUNICATOR = 4;

    /** Contexts of the communicator of all ranks. */
    public static final int WORLD_CONTEXTS = 0;

    /** Contexts of the communicators of one rank; no message of them leaves the rank, so one number serves all. */
    public static final int SELF_CONTEXTS = CONTEXTS_PER_COMMUNICATOR;

    private static final System.Logger LOGGER = System.getLogger(Session.class.getName());

    private static final int FIRST_FREE = 2;

    private final Wireup wireup;
    private final Device device;
    private final ObjectCodec codec;
    private final ObjectChannel objects;
    private final AttachedBuffer attached;
    private final Staging staging = new Staging();
    private final AtomicLong communicators = new AtomicLong();
    private final AtomicInteger restTags = new AtomicInteger();
    private final Set<Arena> memory = ConcurrentHashMap.newKeySet();
    private volatile @Nullable CollectiveOptions collectiveOptions;
    private volatile boolean closed;

    private Session(Wireup wireup, Device device, ObjectCodec codec) {
        this.wireup = wireup;
        this.device = device;
        this.codec = codec;
        this.objects = new ObjectChannel(this);
        this.attached = new AttachedBuffer(device);
    }

    /**
     * Joins the job that the launcher has bound to the class loader of the rank; without a launcher, a job of this rank
     * alone.
     *
     * @param rankLoader class loader that holds the rank's copy of the {@code mpi} package
     */
    public static Session open(ClassLoader rankLoader) {
        Options options = Options.fromSystemProperties();
        Optional<Wireup> bound = Wireups.find(rankLoader);
        Wireup wireup = bound.isPresent() ? bound.get() : alone();
        ObjectCodec codec = new ObjectCodec(programLoader(rankLoader, bound.isPresent()), options.serial());
        Device device;
        try {
            device = Devices.open(options.device(), wireup);
        } catch (IllegalArgumentException wrong) { // that property, or another that is named in the message
            boolean known = options.device().equals(Devices.AUTO) || Devices.NAMES.contains(options.device());
            String property = known ? "" : "system property " + Options.DEVICE + ": ";
            throw new DeviceException(ErrorClass.ARG, property + wrong.getMessage(), wrong);
        }
        return new Session(wireup, device, codec);
    }

    /**
     * Where the classes of received objects are looked up. A launcher binds the loader that has the program; without
     * one, the package may lie in a parent of the program's loader, which the thread then knows.
     */
    private static ClassLoader programLoader(ClassLoader rankLoader, boolean launched) {
        ClassLoader ofThread = Thread.currentThread().getContextClassLoader();
        return launched || ofThread == null ? rankLoader : ofThread;
    }

    private static Wireup alone() {
        List<InProcessWireup> one = InProcessWireup.create(1, new ExitOnAbort());
        return one.get(0);
    }

    /** What ends a job of one rank that no launcher has started. */
    private static final class ExitOnAbort implements InProcessWireup.AbortHandler {
        @Override
        public void abort(int rank, int status, String reason) {
            System.err.println("galerna: rank " + rank + " ends the job: " + reason);
            System.exit(status);
        }
    }

    /** How the rank meets the others. */
    public Wireup wireup() {
        return wireup;
    }

    /** What carries the messages. */
    public Device device() {
        return device;
    }

    /** The rank's way to send and receive objects. */
    public ObjectChannel objects() {
        return objects;
    }

    ObjectCodec codec() {
        return codec;
    }

    /** The memory for buffered sends. */
    public AttachedBuffer attachedBuffer() {
        return attached;
    }

    /** Arrays for items that are not sent as they lie in memory. */
    public Staging staging() {
        return staging;
    }

    /**
     * First of {@link #CONTEXTS_PER_COMMUNICATOR} contexts that no other communicator has, on any rank: numbers are
     * dealt out to the ranks in turn, so a rank can give a new communicator its contexts without asking anybody. Those
     * who create it together take the number of the rank that is to be its rank 0.
     *
     * @throws DeviceException if all numbers are used up
     */
    public int reserveContexts() {
        long number = FIRST_FREE + communicators.getAndIncrement() * wireup.size() + wireup.rank();
        if (number > Device.LARGEST_CONTEXT / CONTEXTS_PER_COMMUNICATOR - 1) {
            throw new DeviceException(
                    ErrorClass.OTHER,
                    "rank " + wireup.rank() + " has created " + (communicators.get() - 1)
                            + " communicators, there are no more numbers for a new one");
        }
        return (int) number * CONTEXTS_PER_COMMUNICATOR;
    }

    /** Takes contexts back that nobody has learnt of; without effect if others have been reserved since. */
    public void returnContexts(int base) {
        long turn = ((long) base / CONTEXTS_PER_COMMUNICATOR - FIRST_FREE) / wireup.size();
        communicators.compareAndSet(turn + 1, turn);
    }

    /** How the collectives choose their algorithms; read once. */
    public CollectiveOptions collectiveOptions() {
        CollectiveOptions present = collectiveOptions;
        if (present == null) {
            present = CollectiveOptions.fromSystemProperties();
            collectiveOptions = present;
        }
        return present;
    }

    /** A tag for the second part of a message of objects, not used again for a very long time. */
    int nextRestTag() {
        return restTags.getAndIncrement() & Integer.MAX_VALUE;
    }

    /** Takes care that memory which the program does not give back is given back at the end. */
    public void keep(Arena arena) {
        memory.add(arena);
    }

    /** Takes {@link #keep} back; false if that has been done. */
    public boolean forget(Arena arena) {
        return memory.remove(arena);
    }

    /** Ends the whole job. */
    public void abort(int status, String reason) {
        wireup.abort(status, reason);
    }

    /** Leaves the job, once what has been taken over from the program is sent; idempotent. */
    public void close() {
        if (!closed) {
            try {
                attached.awaitAll();
                objects.awaitAll();
            } finally {
                closed = true;
                device.close();
                giveBack();
            }
        }
    }

    private void giveBack() {
        for (Arena each : memory) {
            try {
                if (forget(each)) {
                    each.close();
                }
            } catch (IllegalStateException inUse) {
                // a thread of the program is inside the system with it: it stays until the process ends
                LOGGER.log(System.Logger.Level.DEBUG, "memory for messages stays: {0}", inUse.getMessage());
            }
        }
    }

    /** True after {@link #close}. */
    public boolean isClosed() {
        return closed;
    }
}
