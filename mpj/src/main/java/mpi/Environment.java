package mpi;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.galerna.device.ErrorClass;
import org.galerna.mpj.Session;
import org.jspecify.annotations.Nullable;

/**
 * The state of {@link MPI}. The package is loaded once for each rank, so what is static here belongs to one rank.
 */
final class Environment {
    static final Errhandler ERRORS_ARE_FATAL = new Errhandler(Errhandler.FATAL);
    static final Errhandler ERRORS_RETURN = new Errhandler(Errhandler.RETURN);

    private static volatile @Nullable Session session;
    private static volatile @Nullable Thread mainThread;
    private static volatile boolean finalized;
    private static volatile Errhandler errorHandler = ERRORS_RETURN;

    // guarded by the class; so that communicators stop working when the session ends
    private static final List<WeakReference<Comm>> communicators = new ArrayList<>();
    private static int sweepAt = 64;

    private Environment() {}

    static synchronized void init() {
        if (session != null) {
            throw Errors.wrong(ErrorClass.OTHER, "MPI has been initialized already");
        }
        Session opened = Session.open(MPI.class.getClassLoader());
        mainThread = Thread.currentThread();
        finalized = false;
        session = opened;
        errorHandler = ERRORS_RETURN;
        MPI.COMM_WORLD = Intracomm.world(opened);
        MPI.COMM_SELF = Intracomm.self(opened);
    }

    static synchronized void close() {
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

    static synchronized void register(Comm communicator) {
        if (communicators.size() >= sweepAt) {
            communicators.removeIf(reference -> reference.get() == null);
            sweepAt = 2 * communicators.size() + 64;
        }
        communicators.add(new WeakReference<>(communicator));
    }

    static boolean isInitialized() {
        return session != null;
    }

    static boolean isFinalized() {
        return finalized;
    }

    static boolean isMainThread() {
        return Thread.currentThread() == mainThread;
    }

    static @Nullable Session sessionOrNull() {
        return session;
    }

    static Session session() {
        Session open = session;
        if (open == null) {
            throw Errors.wrong(ErrorClass.OTHER, whyNotRunning());
        }
        return open;
    }

    static String whyNotRunning() {
        return finalized ? "MPI.Finalize has been called" : "MPI.Init has not been called";
    }

    static Errhandler errorHandler() {
        return errorHandler;
    }

    static void errorHandler(Errhandler handler) {
        errorHandler = handler;
    }
}
