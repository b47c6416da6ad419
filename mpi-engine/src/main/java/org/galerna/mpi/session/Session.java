package org.galerna.mpi.session;

import java.lang.foreign.Arena;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.galerna.collectives.CollectiveOptions;
import org.galerna.device.Device;
import org.galerna.device.DeviceDecorator;
import org.galerna.device.DeviceException;
import org.galerna.device.Devices;
import org.galerna.device.ErrorClass;
import org.galerna.device.RankList;
import org.galerna.link.Wireup;
import org.galerna.link.process.OwnLog;
import org.galerna.link.wireup.InProcessWireup;
import org.galerna.link.wireup.Wireups;
import org.galerna.mpi.datatype.Staging;
import org.galerna.mpi.object.ObjectChannel;
import org.galerna.mpi.object.ObjectCodec;
import org.galerna.mpi.object.PackedData;
import org.galerna.mpi.settings.Options;
import org.jspecify.annotations.Nullable;

/**
 * A rank of a job, from the start of MPI to its end: its wire-up, its device, and the numbers that it hands out.
 * May be used by any thread.
 */
public final class Session {
    /** Device contexts of a communicator, beginning at those of {@link #proposeContexts}. */
    public static final int CONTEXTS_PER_COMMUNICATOR = 4;

    /** Messages between two ranks, from the first context of a communicator; likewise the following. */
    public static final int MESSAGES = 0;

    /** Collective operations. */
    public static final int COLLECTIVES = 1;

    /** The second parts of messages of objects. */
    public static final int SECOND_PARTS = 2;

    /** Messages of collective operations that programs make themselves. */
    public static final int COLLECTIVES_OF_PROGRAMS = 3;

    /** Contexts of the communicator of all ranks. */
    public static final int WORLD_CONTEXTS = 0;

    /** Contexts of the communicators of one rank; no message of them leaves the rank, so one number serves all. */
    public static final int SELF_CONTEXTS = CONTEXTS_PER_COMMUNICATOR;

    private static final System.Logger LOGGER = OwnLog.of(Session.class.getName());

    private static final int FIRST_FREE = 2;

    /** System property for tests: the last number for communicators, so that they are used up soon. */
    private static final String LAST_COMMUNICATOR = "galerna.test.last.communicator";

    /** No contexts; see {@link #proposeContexts}. */
    public static final int NO_CONTEXTS = Integer.MIN_VALUE;

    private final Wireup wireup;
    private final Device device;
    private final ObjectChannel objects;
    private final AttachedBuffer attached;
    private final Staging staging = new Staging();
    private final PackedData packedData;
    private final ContextNumbers numbers;
    private final int largestTag;
    private final Set<Arena> memory = ConcurrentHashMap.newKeySet();
    private volatile @Nullable CollectiveOptions collectiveOptions;
    private volatile boolean closed;

    private Session(Wireup wireup, Device device, ObjectCodec codec) {
        this.wireup = wireup;
        this.device = device;
        this.objects = new ObjectChannel(device, codec);
        this.packedData = new PackedData(objects, staging);
        this.attached = new AttachedBuffer(device);
        this.largestTag = device.limits().largestTag();
        int most = device.limits().largestContext() / CONTEXTS_PER_COMMUNICATOR - 1;
        int last = Math.min(most, Integer.getInteger(LAST_COMMUNICATOR, most));
        this.numbers = new ContextNumbers(wireup.rank(), wireup.size(), FIRST_FREE, last);
    }

    /**
     * Joins the job that the launcher has bound to the class loader of the rank; without a launcher, a job of this rank
     * alone.
     *
     * @param rankLoader class loader that holds what belongs to the rank alone
     */
    public static Session open(ClassLoader rankLoader) {
        Options options = Options.fromSystemProperties();
        Optional<Wireup> bound = Wireups.find(rankLoader);
        Wireup wireup = bound.isPresent() ? bound.get() : alone();
        ObjectCodec codec = new ObjectCodec(programLoader(rankLoader, bound.isPresent()), options.serial());
        String wanted = wireup.device().orElse(options.device());
        Device device;
        try {
            device = DeviceDecorator.decorated(Devices.open(wanted, wireup), rankLoader);
        } catch (IllegalArgumentException wrong) { // that property, or another that is named in the message
            boolean known = wanted.equals(Devices.AUTO) || Devices.find(wanted).isPresent();
            String property = known || wireup.device().isPresent() ? "" : "system property " + Options.DEVICE + ": ";
            throw new DeviceException(ErrorClass.ARG, property + wrong.getMessage(), wrong);
        }
        StartLine.say(device, wanted);
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

    /** The memory for buffered sends. */
    public AttachedBuffer attachedBuffer() {
        return attached;
    }

    /** What packs and unpacks data for the program. */
    public PackedData packedData() {
        return packedData;
    }

    /** Arrays for items that are not sent as they lie in memory. */
    public Staging staging() {
        return staging;
    }

    /**
     * Contexts for a new communicator, by the first of {@link #CONTEXTS_PER_COMMUNICATOR}. Those who create it together
     * take the ones that one of them proposes.
     *
     * @param attempt how many proposals of this rank have been rejected
     * @return contexts that no communicator has had on any rank; or the complement ({@code ~}) of those of one that this
     *     rank has freed, which all have to {@linkplain #areFree agree} to; or {@link #NO_CONTEXTS}
     */
    public int proposeContexts(int attempt) {
        int number = numbers.reserve();
        if (number >= 0) {
            return number * CONTEXTS_PER_COMMUNICATOR;
        }
        return attempt < numbers.reusable() ? ~(numbers.reuse() * CONTEXTS_PER_COMMUNICATOR) : NO_CONTEXTS;
    }

    /** Takes a proposal back that was rejected, or that nobody needs. */
    public void takeBack(int proposal) {
        if (proposal != NO_CONTEXTS) {
            boolean again = proposal < 0;
            numbers.giveBack((again ? ~proposal : proposal) / CONTEXTS_PER_COMMUNICATOR, again);
        }
    }

    /** Whether this rank no longer uses contexts: their communicator has been freed, and left nothing behind. */
    public boolean areFree(int contexts) {
        if (numbers.isUsed(contexts / CONTEXTS_PER_COMMUNICATOR)) {
            return false;
        }
        for (int each = 0; each < CONTEXTS_PER_COMMUNICATOR; each++) {
            if (!device.isIdle(contexts + each)) {
                return false;
            }
        }
        return true;
    }

    /** A communicator of this rank has the contexts from now on, and these ranks of the job send messages to it. */
    public void useContexts(int contexts, RankList senders) {
        device.senders(contexts + MESSAGES, senders);
        device.senders(contexts + COLLECTIVES_OF_PROGRAMS, senders);
        numbers.use(contexts / CONTEXTS_PER_COMMUNICATOR);
    }

    /** The communicator with these contexts has been freed. */
    public void freeContexts(int contexts) {
        device.forgetSenders(contexts + MESSAGES);
        device.forgetSenders(contexts + COLLECTIVES_OF_PROGRAMS);
        device.endConversation(contexts + COLLECTIVES);
        numbers.free(contexts / CONTEXTS_PER_COMMUNICATOR);
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

    /** The largest tag that a message can have. */
    public int largestTag() {
        return largestTag;
    }

    /**
     * Checks the tag of a send.
     *
     * @throws DeviceException if no message can have it
     */
    public void checkSendTag(int tag) {
        if (tag < 0) {
            throw new DeviceException(ErrorClass.TAG, "the tag of a send must not be negative, it is " + tag);
        }
        checkLargestTag(tag);
    }

    /**
     * Checks that a tag is not too large.
     *
     * @throws DeviceException if it is
     */
    public void checkLargestTag(int tag) {
        if (tag > largestTag) {
            throw new DeviceException(
                    ErrorClass.TAG,
                    "tags of device " + device.name() + " go up to " + largestTag + ", this one is " + tag);
        }
    }

    /** Takes care that memory which the program does not give back is given back at the end. */
    void keep(Arena arena) {
        memory.add(arena);
    }

    /** Takes {@link #keep} back; false if that has been done. */
    boolean forget(Arena arena) {
        return memory.remove(arena);
    }

    /**
     * Ends the whole job.
     *
     * @param code of which the system takes the lowest eight bits; if they are 0, the status is 1, because a job that is
     *     aborted has not succeeded
     */
    public void abort(int code, String reason) {
        int status = code & 0xff;
        wireup.abort(status == 0 ? 1 : status, reason);
    }

    /** Leaves the job, once what has been taken over from the program is sent; idempotent. */
    public void close() {
        if (!closed) {
            try {
                attached.awaitAll();
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
}
