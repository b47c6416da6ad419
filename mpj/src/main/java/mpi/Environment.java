package mpi;

import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import org.galerna.device.ErrorClass;
import org.galerna.mpi.comm.AttributeKeys;
import org.galerna.mpi.session.AttachedBuffer;
import org.galerna.mpi.session.MessageMemory;
import org.galerna.mpi.session.Session;
import org.galerna.mpi.settings.Options;
import org.jspecify.annotations.Nullable;

/**
 * The state of one rank, behind its class {@link MPI}, which is all that programs use. Ranks that are threads of one
 * virtual machine have a class {@code MPI} each, for its static fields; this class and the others of the package are
 * loaded once for all of them, so that they are compiled once. Any thread of the rank may call any method.
 *
 * <p>Ranks that run code of one class loader share a class {@code MPI} as well. Each {@linkplain #enter enters} it with
 * its main thread, and the threads that this one starts inherit the rank: {@link #here} finds the rank of the caller.
 */
public final class Environment {
    /** As long as its class {@code MPI} is there, and no longer. */
    private static final ClassValue<Environment> ENVIRONMENTS = new ClassValue<>() {
        @Override
        protected Environment computeValue(Class<?> mpi) {
            return new Environment(mpi.getClassLoader());
        }
    };

    private static final StackWalker CALLERS = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    /** Why a thread cannot communicate that works for none of the ranks that share its class {@code MPI}. */
    private static final String NO_RANK =
            ", and the calling thread works for no rank; a thread of the common pool (of a"
                    + " parallel stream, a CompletableFuture) has to use the communicator that its rank was given";

    /** The rank that a thread works for whose class {@code MPI} is that of other ranks too. */
    private static final InheritableThreadLocal<@Nullable Environment> OF_THREAD = new InheritableThreadLocal<>();

    private final ClassLoader loader;
    /** What the fields of a class {@code MPI} are that ranks share; null as long as none do. Never null again after that. */
    private volatile @Nullable Shared shared;
    /** Whether the launcher has called {@link #init} for the program, and the program has not yet. Guarded by this. */
    private boolean given;
    /** True when the rank no longer runs code of a class {@code MPI} that it shares. */
    private volatile boolean left;

    private volatile @Nullable Session session;
    private volatile @Nullable Thread mainThread;
    private volatile boolean finalized;
    private volatile Intracomm world = new Intracomm("MPI.Init has not been called");
    private volatile Intracomm self = world;
    private volatile Errhandler errorHandler = Constants.ERRORS_RETURN;

    // guarded by the environment; so that communicators stop working when the session ends
    private final List<WeakReference<BaseComm>> communicators = new ArrayList<>();
    private int sweepAt = 64;

    private final AttributeKeys keys = new AttributeKeys();

    private Environment(ClassLoader loader) {
        this.loader = loader;
    }

    /** The environment of the rank that has this class {@code MPI}. */
    public static Environment of(Class<?> mpi) {
        return ENVIRONMENTS.get(mpi);
    }

    /**
     * The environment of the rank whose program has called, for calls that name nothing which belongs to a rank. It is
     * looked for on the stack, and behind the loader of the thread if there is nothing but Galerna there: far too slow for
     * anything but errors.
     */
    static Environment ofCaller() {
        Environment ofThread = ofThread();
        if (ofThread != null) {
            return ofThread;
        }
        ClassLoader own = Environment.class.getClassLoader();
        return CALLERS.walk(
                        frames -> frames.map(frame -> frame.getDeclaringClass().getClassLoader())
                                .filter(loader -> loader != null && loader != own)
                                .map(Environment::seenFrom)
                                .filter(found -> found.loader != own)
                                .findFirst())
                .orElseGet(() -> seenFrom(Thread.currentThread().getContextClassLoader()));
    }

    private static Environment seenFrom(@Nullable ClassLoader loader) {
        try {
            return of(Class.forName(MPI.class.getName(), false, loader));
        } catch (ClassNotFoundException none) { // the JDK's, for one
            return of(MPI.class);
        }
    }

    // ---- ranks that share a class MPI

    /** The communicators that stand in the fields of a class {@code MPI} that ranks share. */
    private record Shared(Intracomm world, Intracomm self) {}

    /**
     * Joins the job, as {@link MPI#Init}, and makes this the rank of the calling thread and of those that it will start,
     * for code that sees a class {@code MPI} which other ranks see too. The first {@code MPI.Init} of that code changes
     * nothing, since it is done.
     *
     * @param mpi that class
     * @return the communicator of all ranks
     */
    public Intracomm enter(Class<?> mpi) {
        of(mpi).share(mpi);
        init(null);
        synchronized (this) {
            given = true;
        }
        OF_THREAD.set(this);
        return world;
    }

    /** Ends {@link #enter}: leaves the job, unless the code has done so, and lets go of all threads. */
    public void leave() {
        try {
            if (isInitialized()) {
                close();
            }
        } finally {
            left = true;
            OF_THREAD.remove();
        }
    }

    /** Lets go of all threads of a rank that has failed: it does not leave the job as one that is done does. */
    public void abandon() {
        left = true;
        OF_THREAD.remove();
    }

    private synchronized void share(Class<?> mpi) {
        Shared fields = shared;
        if (fields == null) {
            fields =
                    new Shared(new ThreadComm(this, Environment::ownWorld), new ThreadComm(this, Environment::ownSelf));
            shared = fields;
        }
        try {
            mpi.getField("COMM_WORLD").set(null, fields.world());
            mpi.getField("COMM_SELF").set(null, fields.self());
        } catch (ReflectiveOperationException otherClass) {
            throw new IllegalArgumentException(mpi + " is not the class MPI of Galerna", otherClass);
        }
    }

    /** The environment of the rank that the calling thread works for: this one, unless ranks share its class {@code MPI}. */
    public Environment here() {
        if (shared == null) {
            return this;
        }
        Environment ofThread = ofThread();
        return ofThread == null ? this : ofThread;
    }

    /** Null if the calling thread works for no rank that shares its class {@code MPI}, or for one that has left. */
    private static @Nullable Environment ofThread() {
        // a thread of the common pool serves everybody, and inherits the rank that happens to be the first to need it
        boolean common = Thread.currentThread() instanceof ForkJoinWorkerThread worker
                && worker.getPool() == ForkJoinPool.commonPool();
        Environment inherited = common ? null : OF_THREAD.get();
        return inherited == null || inherited.left ? null : inherited;
    }

    private Intracomm ownWorld() {
        return world;
    }

    private Intracomm ownSelf() {
        return self;
    }

    // ---- what MPI does

    /** {@link MPI#Init}. */
    public String[] init(String @Nullable [] arguments) {
        Errors.run(this, "MPI.Init", this::open);
        return arguments == null ? new String[0] : Options.withoutLauncherArguments(arguments);
    }

    private synchronized void open() {
        if (given) {
            given = false;
            if (session != null) {
                return;
            }
        }
        if (session != null) {
            throw Errors.wrong(ErrorClass.OTHER, "MPI has been initialized already");
        }
        Session opened = Session.open(loader);
        mainThread = Thread.currentThread();
        finalized = false;
        session = opened;
        errorHandler = Constants.ERRORS_RETURN;
        world = Intracomm.world(this);
        self = Intracomm.self(this);
    }

    /**
     * The communicator of all ranks, of the last {@link MPI#Init}; one that cannot be used before the first. Of a class
     * {@code MPI} that ranks share it is one that stands for that of the calling thread's rank.
     */
    public Intracomm world() {
        Shared fields = shared;
        return fields == null ? world : fields.world();
    }

    /** The communicator of this rank alone, likewise. */
    public Intracomm self() {
        Shared fields = shared;
        return fields == null ? self : fields.self();
    }

    /** Throws what a call throws that asks for a thread level that there is not. */
    public void checkThreadLevel(String call, int required) {
        if (required < MPI.THREAD_SINGLE || required > MPI.THREAD_MULTIPLE) {
            throw Errors.failed(
                    this,
                    call,
                    Errors.wrong(
                            ErrorClass.ARG,
                            "a thread level is MPI.THREAD_SINGLE to MPI.THREAD_MULTIPLE (1 to 4), not " + required));
        }
    }

    /** {@link MPI#Finalize}. */
    public void close() {
        Errors.run(this, "MPI.Finalize", this::closeSession);
    }

    private synchronized void closeSession() {
        Session open = session();
        try {
            open.close();
        } finally {
            for (WeakReference<BaseComm> reference : communicators) {
                BaseComm communicator = reference.get();
                if (communicator != null) {
                    communicator.invalidate("MPI.Finalize has been called");
                }
            }
            communicators.clear();
            sweepAt = 64;
            finalized = true;
            session = null;
        }
    }

    /** {@link MPI#Initialized}. */
    public boolean isInitialized() {
        return session != null;
    }

    /** {@link MPI#Finalized}. */
    public boolean isFinalized() {
        return finalized;
    }

    /** {@link MPI#isMainThread}. */
    public boolean isMainThread() {
        return Thread.currentThread() == mainThread;
    }

    /** {@link MPI#Keyval_create}. */
    public int createKey(boolean inherited) {
        return keys.create(inherited);
    }

    /** {@link MPI#Keyval_free}. */
    public void freeKey(int key) {
        Errors.run(this, "MPI.Keyval_free", () -> keys.free(key));
    }

    /** {@link MPI#Errorhandler_set}. */
    public void errorHandler(@Nullable Errhandler handler) {
        if (handler == null) {
            throw Errors.failed(
                    this, "MPI.Errorhandler_set", Errors.wrong(ErrorClass.ARG, "the error handler is null"));
        }
        errorHandler = handler;
    }

    /** {@link MPI#Errorhandler_get}. */
    public Errhandler errorHandler() {
        return errorHandler;
    }

    /** {@link MPI#allocate}. */
    public Memory allocate(long bytes) {
        try {
            return new Memory(new MessageMemory(session(), bytes));
        } catch (RuntimeException failure) {
            throw Errors.failed(this, "MPI.allocate(" + bytes + ")", failure);
        }
    }

    /** {@link MPI#Buffer_attach(ByteBuffer)}. */
    public void attach(@Nullable ByteBuffer buffer) {
        Errors.run(this, "MPI.Buffer_attach", () -> attached().attach(required(buffer)));
    }

    /** {@link MPI#Buffer_attach(byte[])}. */
    public void attach(byte @Nullable [] buffer) {
        Errors.run(this, "MPI.Buffer_attach", () -> attached().attach(required(buffer)));
    }

    private static <T> T required(@Nullable T buffer) {
        if (buffer == null) {
            throw Errors.wrong(ErrorClass.BUFFER, "the buffer is null");
        }
        return buffer;
    }

    private AttachedBuffer attached() {
        return session().attachedBuffer();
    }

    /** {@link MPI#Buffer_detach}. */
    public void detach() {
        Errors.run(this, "MPI.Buffer_detach", () -> attached().detach());
    }

    // ---- what the rest of the package asks

    synchronized void register(BaseComm communicator) {
        if (communicators.size() >= sweepAt) {
            communicators.removeIf(reference -> reference.get() == null);
            sweepAt = 2 * communicators.size() + 64;
        }
        communicators.add(new WeakReference<>(communicator));
    }

    AttributeKeys keys() {
        return keys;
    }

    @Nullable
    Session sessionOrNull() {
        return session;
    }

    Session session() {
        Session open = session;
        if (open == null) {
            throw Errors.wrong(ErrorClass.OTHER, whyNotRunning());
        }
        return open;
    }

    String whyNotRunning() {
        return (finalized ? "MPI.Finalize has been called" : "MPI.Init has not been called")
                + (shared == null ? "" : NO_RANK);
    }
}
