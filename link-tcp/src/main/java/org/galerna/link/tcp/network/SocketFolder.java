package org.galerna.link.tcp.network;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.galerna.link.process.EndOfProcess;
import org.galerna.link.process.OwnLog;
import org.galerna.link.tcp.wire.Closing;
import org.jspecify.annotations.Nullable;

/**
 * A folder for the socket of one rank, in the folder for temporary files, that only its user can enter. Its process holds
 * a lock on a file in it, which the system gives back however the process dies: what processes that were killed have left
 * is removed by the launcher of their job, or when the user's next rank makes its own.
 *
 * <p>Who has the lock of a folder, and has seen <em>under it</em> that the file is still in the folder, owns the folder:
 * its maker, who begins anew if the file is not there any more, or one who removes it, who removes that file last. So a
 * folder that is just being made may be removed, and is then made again, and one that is in use is never removed.
 */
public final class SocketFolder implements AutoCloseable {
    private static final Logger LOGGER = OwnLog.of(SocketFolder.class.getName());

    private static final String PREFIX = "galerna-unix-";
    private static final String LOCK = "lock";

    private static final FileAttribute<Set<PosixFilePermission>> OWNERS =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    /** A folder without a file to lock is of a process that was killed in the moment of making it, or is in that moment. */
    private static final Duration MAKING = Duration.ofHours(1);

    /** Real paths of the folders of this process, which must not open their files twice: to close one would give up the lock. */
    private static final Set<Path> OWN = ConcurrentHashMap.newKeySet();

    private final Path path;
    private final Path real;
    private final FileChannel lock;

    /** For ranks that end without closing. */
    private final Runnable cleaner = this::delete;

    private SocketFolder(Path path, Path real, FileChannel lock) {
        this.path = path;
        this.real = real;
        this.lock = lock;
    }

    /**
     * Makes a folder, and removes those that nobody uses any more. Threads of one process take turns: the system does not
     * tell their locks from each other, so that one must not look at a folder that another one is making or removing.
     */
    static synchronized SocketFolder make() throws IOException {
        SocketFolder made = null;
        while (made == null) {
            made = tryToMake();
        }
        try {
            EndOfProcess.add(made.cleaner);
        } catch (IllegalStateException exiting) {
            // then the next start removes it
        }
        removeDead(made.path.resolveSibling(""));
        return made;
    }

    /** Null if somebody has taken it for one that nobody uses. */
    private static @Nullable SocketFolder tryToMake() throws IOException {
        Path path = Files.createTempDirectory(PREFIX, OWNERS);
        Path real = path.toRealPath();
        OWN.add(real);
        FileChannel lock = null;
        boolean owned = false;
        try {
            lock = FileChannel.open(path.resolve(LOCK), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            owned = isOwned(path, lock);
            return owned ? new SocketFolder(path, real, lock) : null;
        } catch (NoSuchFileException removed) {
            return null;
        } finally {
            if (!owned) {
                OWN.remove(real);
                Closing.quietly(lock);
            }
        }
    }

    /** Takes the lock, if nobody has it, and if the file has not been removed before that. */
    private static boolean isOwned(Path folder, FileChannel lock) throws IOException {
        FileLock taken = lock.tryLock();
        return taken != null && Files.exists(folder.resolve(LOCK), LinkOption.NOFOLLOW_LINKS);
    }

    /** Where a rank listens. */
    Path socket(int rank) {
        return path.resolve("rank-" + rank);
    }

    /** Removes those in a folder for temporary files that processes of this user have left which were killed. */
    public static synchronized void removeDead(Path temporary) {
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(temporary.toRealPath(), PREFIX + "*")) {
            UserPrincipal owner = Files.getOwner(Path.of("/proc/self"));
            for (Path each : folders) {
                if (!OWN.contains(each)) {
                    removeIfDead(each, owner);
                }
            }
        } catch (IOException notNow) {
            LOGGER.log(Level.DEBUG, "cannot look for folders that nobody uses: {0}", notNow.getMessage());
        }
    }

    private static void removeIfDead(Path folder, UserPrincipal owner) {
        try {
            PosixFileAttributes found =
                    Files.readAttributes(folder, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            if (!found.isDirectory() || !found.owner().equals(owner)) {
                return; // in a folder that everybody may write to, that can be anything
            }
            try (FileChannel lock =
                    FileChannel.open(folder.resolve(LOCK), StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
                if (isOwned(folder, lock)) {
                    delete(folder);
                }
            } catch (NoSuchFileException unlocked) {
                if (found.lastModifiedTime().toInstant().isBefore(Instant.now().minus(MAKING))) {
                    delete(folder);
                }
            }
        } catch (IOException notNow) {
            LOGGER.log(Level.DEBUG, "cannot remove {0}: {1}", folder, notNow.getMessage());
        }
    }

    private static void delete(Path folder) throws IOException {
        try (DirectoryStream<Path> sockets = Files.newDirectoryStream(folder, "rank-*")) {
            for (Path each : sockets) {
                Files.deleteIfExists(each);
            }
        }
        Files.deleteIfExists(folder.resolve(LOCK));
        Files.deleteIfExists(folder);
    }

    private void delete() {
        Closing.quietly(() -> delete(path));
    }

    @Override
    public void close() {
        delete();
        Closing.quietly(lock);
        OWN.remove(real);
        EndOfProcess.remove(cleaner);
    }
}
