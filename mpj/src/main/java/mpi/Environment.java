package mpi;

import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.galerna.device.ErrorClass;
import org.galerna.mpj.AttachedBuffer;
import org.galerna.mpj.Options;
import org.galerna.mpj.Session;
import org.jspecify.annotations.Nullable;

/**
 * The state of one rank, behind its class {@link MPI}, which is all that programs use. Ranks that are threads of one
 * virtual machine have a class {@code MPI} each, for its static fields; this class and the others of the package are
 * loaded once for all of them, so that they are compiled once. Any thread of the rank may call any method.
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

    private final ClassLoader loader;
    private volatile @Nullable Session session;
    private volatile @Nullable Thread mainThread;
    private volatile boolean finalized;
    private volatile Intracomm world = new Intracomm("MPI.Init has not been called");
    private volatile Intracomm self = world;
    private volatile Errhandler errorHandler = Constants.ERRORS_RETURN;

    // guarded by the environment; so that communicators stop working when the session ends
    private final List<WeakReference<Comm>> communicators = new ArrayList<>();
    private int sweepAt = 64;

    // guarded by themselves; the keys of attributes that the program has created, and whether duplicates inherit them
    private final Map<Integer, Boolean> keys = new HashMap<>();
    private int nextKey = Attributes.FIRST_CREATED;

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

    // ---- what MPI does

    /** {@link MPI#Init}. */
    public String[] init(String @Nullable [] arguments) {
        try {
            open();
        } catch (RuntimeException failure) {
            throw Errors.failed(this, "MPI.Init", failure);
        }
        return arguments == null ? new String[0] : Options.withoutLauncherArguments(arguments);
    }

    private synchronized void open() {
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

    /** The communicator of all ranks, of the last {@link MPI#Init}; one that cannot be used before the first. */
    public Intracomm world() {
        return world;
    }

    /** The communicator of this rank alone, likewise. */
    public Intracomm self() {
        return self;
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
        try {
            closeSession();
        } catch (RuntimeException failure) {
            throw Errors.failed(this, "MPI.Finalize", failure);
        }
    }

    private synchronized void closeSession() {
        Session open = session();
        try {
            open.close();
        } finally {
            for (WeakReference<Comm> reference : communicators) {
                Comm communicator = reference.get();
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
        synchronized (keys) {
            keys.put(nextKey, inherited);
            return nextKey++;
        }
    }

    /** {@link MPI#Keyval_free}. */
    public void freeKey(int key) {
        synchronized (keys) {
            if (keys.remove(key) == null) {
                throw Errors.failed(this, "MPI.Keyval_free", Attributes.noKey(key));
            }
        }
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
            return new Memory(session(), bytes);
        } catch (RuntimeException failure) {
            throw Errors.failed(this, "MPI.allocate(" + bytes + ")", failure);
        }
    }

    /** {@link MPI#Buffer_attach(ByteBuffer)}. */
    public void attach(@Nullable ByteBuffer buffer) {
        try {
            attached().attach(required(buffer));
        } catch (RuntimeException failure) {
            throw Errors.failed(this, "MPI.Buffer_attach", failure);
        }
    }

    /** {@link MPI#Buffer_attach(byte[])}. */
    public void attach(byte @Nullable [] buffer) {
        try {
            attached().attach(required(buffer));
        } catch (RuntimeException failure) {
            throw Errors.failed(this, "MPI.Buffer_attach", failure);
        }
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
        try {
            attached().detach();
        } catch (RuntimeException failure) {
            throw Errors.failed(this, "MPI.Buffer_detach", failure);
        }
    }

    // ---- what the rest of the package asks

    synchronized void register(Comm communicator) {
        if (communicators.size() >= sweepAt) {
            communicators.removeIf(reference -> reference.get() == null);
            sweepAt = 2 * communicators.size() + 64;
        }
        communicators.add(new WeakReference<>(communicator));
    }

    boolean hasKey(int key) {
        synchronized (keys) {
            return keys.containsKey(key);
        }
    }

    boolean isInherited(int key) {
        synchronized (keys) {
            return keys.getOrDefault(key, false);
        }
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
        return finalized ? "MPI.Finalize has been called" : "MPI.Init has not been called";
    }
}
