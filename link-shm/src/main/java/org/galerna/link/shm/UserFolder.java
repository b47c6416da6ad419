package org.galerna.link.shm;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.galerna.nativeaccess.PosixFiles;
import org.galerna.nativeaccess.SystemCallException;

/**
 * The folder that holds a folder for each job of one user on this host: {@code galerna-<user number>} in
 * {@code /dev/shm}, which nobody else can enter. Whoever makes or removes anything that has no owner yet holds its lock.
 */
final class UserFolder implements AutoCloseable {
    private static final Logger LOGGER = System.getLogger(UserFolder.class.getName());

    /** System property: where the folders are made; should be in memory. */
    static final String BASE = "galerna.shm.folder";

    private static final String DEFAULT_BASE = "/dev/shm";
    private static final String LOCK = "lock";

    /** Long enough for many processes that start at once on a busy machine, of which each keeps the lock for a while. */
    private static final long LOCK_NANOS = TimeUnit.SECONDS.toNanos(120);

    /** Between looks: at first, and at most; those who look all the time keep the owner of the lock from its work. */
    private static final long FIRST_LOOK_NANOS = 200_000;

    private static final long LAST_LOOK_NANOS = 10_000_000;

    private final PosixFiles files;
    private final Path base;
    private final Path path;
    private final int descriptor;

    private UserFolder(PosixFiles files, Path base, Path path, int descriptor) {
        this.files = files;
        this.base = base;
        this.path = path;
        this.descriptor = descriptor;
    }

    /**
     * Opens the folder, and makes it if it is not there.
     *
     * @throws IOException if it cannot be, or somebody else could get at what is in it
     */
    static UserFolder open() throws IOException {
        PosixFiles files = PosixFiles.instance()
                .orElseThrow(() -> new IOException(PosixFiles.unavailable().orElseThrow()));
        Path base = Path.of(System.getProperty(BASE, DEFAULT_BASE));
        if (!Files.isDirectory(base)) {
            throw new IOException("there is no folder " + base + " for memory that processes share: name one with -D"
                    + BASE + "=<folder>");
        }
        Path real = base.toRealPath();
        String name = "galerna-" + Integer.toUnsignedString(files.user());
        int parent = files.openFolder(real.toString());
        try {
            Path path = real.resolve(name);
            return new UserFolder(files, real, path, openOrMake(files, parent, name, path));
        } finally {
            files.close(parent);
        }
    }

    /** Opens a folder that is this user's alone, and makes it if it is not there. */
    static int openOrMake(PosixFiles files, int parent, String name, Path path) throws IOException {
        int descriptor = -1;
        while (descriptor < 0) {
            make(files, parent, name, path);
            try {
                descriptor = files.openFolder(parent, name);
            } catch (SystemCallException failed) {
                // one that was there and is not any more was removed by the last to leave it: then it is made anew
                if (failed.errno() != SystemCallException.ENOENT) {
                    throw new IOException(
                            path + " must be a folder, but somebody has put something else there: remove it", failed);
                }
            }
        }
        PosixFiles.Status status = files.status(descriptor);
        if (status.user() != files.user()) {
            files.close(descriptor);
            throw new IOException(path + " belongs to user " + Integer.toUnsignedString(status.user())
                    + " and not to user " + Integer.toUnsignedString(files.user())
                    + ": have it removed, or name another folder with -D" + BASE + "=<folder>");
        }
        if ((status.permissions() & 0077) != 0) {
            files.close(descriptor);
            throw new IOException(path + " can be entered by others (its mode is "
                    + Integer.toOctalString(status.permissions()) + "): run \"chmod 700 " + path + "\", or remove it");
        }
        return descriptor;
    }

    private static void make(PosixFiles files, int parent, String name, Path path) throws IOException {
        try {
            files.makeFolder(parent, name);
        } catch (SystemCallException failed) {
            if (failed.errno() != SystemCallException.EEXIST) {
                throw new IOException(failed.getMessage() + " in " + path.getParent(), failed);
            }
        }
    }

    PosixFiles files() {
        return files;
    }

    Path path() {
        return path;
    }

    int descriptor() {
        return descriptor;
    }

    /** Something that is done while nobody else makes or removes anything here. */
    @FunctionalInterface
    interface Work<T> {
        T run(UserFolder folder) throws IOException;
    }

    /**
     * Does something in the folder, which is made if it is not there, while nobody else makes or removes anything in it.
     *
     * @throws IOException that the work throws, or if somebody keeps the lock for very long
     */
    static <T> T locked(Work<T> work) throws IOException {
        long deadline = System.nanoTime() + LOCK_NANOS;
        for (long pause = FIRST_LOOK_NANOS; ; pause = Math.min(2 * pause, LAST_LOOK_NANOS)) {
            UserFolder folder = open();
            int lock = folder.tryLock();
            try {
                if (lock >= 0) {
                    return work.run(folder);
                }
            } finally {
                if (lock >= 0) {
                    folder.files.close(lock); // which gives the lock back
                }
                folder.close();
            }
            if (System.nanoTime() - deadline > 0) {
                throw new IOException("other processes have kept " + folder.path.resolve(LOCK) + " locked for "
                        + TimeUnit.NANOSECONDS.toSeconds(LOCK_NANOS) + " s: is one of them stopped?");
            }
            LockSupport.parkNanos(pause);
        }
    }

    /** The descriptor of the file that is locked now; -1 if somebody else has the lock, or has removed the folder. */
    private int tryLock() throws IOException {
        int lock;
        try {
            lock = files.openOrCreate(descriptor, LOCK);
        } catch (SystemCallException failed) {
            if (failed.errno() == SystemCallException.ENOENT) {
                return -1;
            }
            throw failed;
        }
        // the lock of a file that has lost its name keeps out nobody
        if (files.tryLock(lock, 0) && files.status(lock).links() > 0) {
            return lock;
        }
        files.close(lock);
        return -1;
    }

    /** Removes the folders of jobs of which no process lives any more; inside the lock. */
    void removeDeadJobs() {
        for (String name : list()) {
            if (name.equals(LOCK)) {
                continue;
            }
            try (JobFolder job = JobFolder.open(this, name)) {
                job.removeUnlessInUse(this);
            } catch (IOException keptByTheSystem) {
                LOGGER.log(Level.DEBUG, "cannot remove {0}: {1}", path.resolve(name), keptByTheSystem.getMessage());
            }
        }
    }

    /** Removes this folder if there is no job in it; inside the lock. */
    void removeIfEmpty() throws IOException {
        if (!list().equals(List.of(LOCK))) {
            return;
        }
        files.remove(descriptor, LOCK);
        int parent = files.openFolder(base.toString());
        files.removeFolder(parent, path.getFileName().toString());
        files.close(parent);
    }

    private List<String> list() {
        String[] names = path.toFile().list();
        return names == null ? List.of() : List.of(names);
    }

    @Override
    public void close() {
        files.close(descriptor);
    }
}
