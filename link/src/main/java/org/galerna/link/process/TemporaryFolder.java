package org.galerna.link.process;

import java.io.File;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.galerna.memory.SystemRandom;
import org.jspecify.annotations.Nullable;

/**
 * A temporary folder with a lock file, that only its user can enter: what MPI launchers call a session directory. Each process that
 * needs it has a shared lock on the file in it, which the system gives back however the process dies. A folder whose lock file nobody
 * has locked is stale, and {@link #removeStale} removes it. Any thread may call.
 *
 * <p>The file gets its name when its maker has locked it. A process that has the whole lock, and has seen <em>under the lock</em> that the
 * file is still in the folder, may remove the folder. It removes that file last. So a folder that is in use is never removed.
 *
 * <p>The lock file says which host it is of: there are file systems that hosts share, and whose locks they do not. Where there are no
 * locks, the folder has none, and no other process removes it.
 */
public final class TemporaryFolder implements AutoCloseable {
    private static final Logger LOGGER = OwnLog.of(TemporaryFolder.class.getName());

    private static final String PREFIX = "galerna-";
    private static final String HIDDEN = ".";
    private static final Pattern NAME = Pattern.compile("\\.?" + PREFIX + "[a-z]+-[0-9a-f]+");

    /** A program may have the folder on its class path, and none of its resources has this name. */
    private static final String LOCK = ".galerna-lock";

    /** The lock file until its maker has locked it, and has written whose it is. */
    private static final String DRAFT = ".galerna-draft";

    private static final Path THIS_PROCESS = Path.of("/proc/self"); // whose owner is that of this process
    private static final Path THIS_HOST = Path.of("/proc/sys/kernel/hostname");
    private static final String SEEN = "unix:uid,mode,isDirectory,lastModifiedTime";
    private static final int OF_OTHERS = 0b111_111;

    /** In bytes; names of Linux have 64 at most. */
    private static final int LONGEST_HOST = 256;

    /** A folder without a lock file is of a process that was killed in the moment of making it, or is in that moment. */
    private static final Duration MAKING = Duration.ofHours(1);

    /**
     * Lock files of this process by the real paths of their folders. It must not open them twice: to close any channel to a file gives up all
     * locks that a process has on it.
     */
    private static final Map<Path, FileChannel> LOCKS = new ConcurrentHashMap<>();

    private static final Set<TemporaryFolder> MADE = ConcurrentHashMap.newKeySet();

    private final Path path;
    private final Path real;
    private @Nullable Runnable cleaner;

    private TemporaryFolder(Path path, Path real) {
        this.path = path;
        this.real = real;
    }

    /**
     * Makes a folder in the folder for temporary files, and removes those there that are stale.
     *
     * @param kind what is in it, in small letters: part of its name
     */
    public static TemporaryFolder make(String kind) throws IOException {
        TemporaryFolder made = makeIn(parent(), kind);
        removeStale(parent());
        return made;
    }

    /** Where {@link #make} makes folders. */
    public static Path parent() {
        return Path.of(System.getProperty("java.io.tmpdir", "/tmp"));
    }

    /**
     * Makes a folder in another one.
     *
     * @param kind what is in it, in small letters: part of its name
     */
    public static TemporaryFolder makeIn(Path parent, String kind) throws IOException {
        return makeNamed(parent, PREFIX.concat(kind).concat("-"));
    }

    /**
     * Makes a hidden folder in one that has other files of the user, and removes those there that are stale.
     *
     * @param kind what is in it, in small letters: part of its name
     */
    public static TemporaryFolder makeHidden(Path parent, String kind) throws IOException {
        TemporaryFolder made =
                makeNamed(parent, HIDDEN.concat(PREFIX).concat(kind).concat("-"));
        removeStale(parent);
        return made;
    }

    private static synchronized TemporaryFolder makeNamed(Path parent, String prefix) throws IOException {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    TemporaryFolder made = tryToMake(parent, prefix);
                    if (made != null) {
                        return made;
                    }
                } catch (ClosedByInterruptException again) {
                    interrupted |= Thread.interrupted();
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Null if somebody has removed it because that has taken too long. */
    private static @Nullable TemporaryFolder tryToMake(Path parent, String prefix) throws IOException {
        Path path = SystemRandom.folder(parent, prefix);
        Path real = path.toRealPath();
        Path draft = path.resolve(DRAFT);
        boolean owned = false;
        try {
            FileChannel lock = FileChannel.open(
                    draft, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE));
            LOCKS.put(real, lock);
            boolean unused = isLocked(lock, true);
            ByteBuffer host = ByteBuffer.wrap(host().getBytes(StandardCharsets.UTF_8));
            while (host.hasRemaining()) {
                lock.write(host);
            }
            if (!draft.toFile().renameTo(path.resolve(LOCK).toFile())) {
                throw new NoSuchFileException(draft.toString());
            }
            TemporaryFolder made = new TemporaryFolder(path, real);
            MADE.add(made);
            owned = true;
            return made;
        } catch (NoSuchFileException removed) {
            return null;
        } finally {
            if (!owned) {
                delete(path);
                forget(real);
            }
        }
    }

    /** False if others have a lock that excludes this one. */
    private static boolean isLocked(FileChannel file, boolean shared) throws IOException {
        try {
            return file.tryLock(0, Long.MAX_VALUE, shared) != null;
        } catch (ClosedByInterruptException interrupted) {
            throw interrupted;
        } catch (IOException noLocksHere) {
            return shared;
        }
    }

    private static String host() {
        try {
            return Files.readString(THIS_HOST).strip();
        } catch (IOException otherSystem) {
            return "localhost";
        }
    }

    /** Where it is. */
    public Path path() {
        return path;
    }

    /** Has it removed when this process ends in order, if it is not closed before; returns this. */
    public TemporaryFolder untilEnd() {
        try {
            Runnable closing = this::close;
            EndOfProcess.add(closing);
            cleaner = closing;
        } catch (IllegalStateException exiting) {
            // then the next start removes it
            return this;
        }
        return this;
    }

    /** Keeps a folder that another process has made for as long as this one lives, should the other one die before. */
    public static synchronized void keep(Path folder) {
        try {
            Path real = folder.toRealPath();
            if (isOurs(real) && !LOCKS.containsKey(real)) {
                FileChannel lock = FileChannel.open(
                        real.resolve(LOCK), Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
                LOCKS.put(real, lock);
                boolean unused = isLocked(lock, true);
            }
        } catch (IOException removed) {
            LOGGER.log(Level.DEBUG, "cannot keep {0}: {1}", folder, removed.getMessage());
        }
    }

    /** Removes the stale folders of this user in a folder for temporary files. What is in use, or anybody else's, stays. */
    public static synchronized void removeStale(Path parent) {
        try {
            Path real = parent.toRealPath();
            String[] names = real.toFile().list();
            Object user = null;
            for (String name : names == null ? new String[0] : names) {
                if (name.contains(PREFIX) && NAME.matcher(name).matches() && !LOCKS.containsKey(real.resolve(name))) {
                    user = user == null ? Files.getAttribute(THIS_PROCESS, "unix:uid") : user;
                    removeIfStale(real.resolve(name), user);
                }
            }
        } catch (IOException notNow) {
            LOGGER.log(Level.DEBUG, "cannot look for stale folders: {0}", notNow.getMessage());
        }
    }

    private static boolean isOurs(Path folder) {
        return folder.getFileName() != null
                && NAME.matcher(folder.getFileName().toString()).matches();
    }

    private static void removeIfStale(Path folder, Object user) {
        try {
            Map<String, Object> seen = Files.readAttributes(folder, SEEN, LinkOption.NOFOLLOW_LINKS);
            boolean others = !user.equals(seen.get("uid")) || ((int) of(seen, "mode") & OF_OTHERS) != 0;
            if (others || !(boolean) of(seen, "isDirectory")) {
                return; // in a folder that everybody may write to, that can be anything
            }
            boolean old = ((FileTime) of(seen, "lastModifiedTime"))
                    .toInstant()
                    .isBefore(Instant.now().minus(MAKING));
            try {
                removeIfStale(folder);
            } catch (NoSuchFileException unlocked) {
                if (old) {
                    Files.deleteIfExists(folder.resolve(DRAFT));
                    Files.deleteIfExists(folder); // if nothing else is in it
                }
            }
        } catch (IOException notNow) {
            LOGGER.log(Level.DEBUG, "cannot remove {0}: {1}", folder, notNow.getMessage());
        }
    }

    private static Object of(Map<String, Object> seen, String name) {
        return Objects.requireNonNull(seen.get(name), name);
    }

    private static void removeIfStale(Path folder) throws IOException {
        Path file = folder.resolve(LOCK);
        FileChannel lock = FileChannel.open(
                file, Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS));
        boolean keptOpen = false;
        try {
            if (isLocked(lock, false) && Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
                if (content(lock).equals(host())) {
                    delete(folder);
                }
            }
        } catch (OverlappingFileLockException ofAnotherLoader) {
            // another class loader of this process has such a class, which has the lock
            LOCKS.put(folder, lock);
            keptOpen = true;
        } finally {
            if (!keptOpen) {
                quietly(lock);
            }
        }
    }

    private static String content(FileChannel file) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(LONGEST_HOST);
        int end = 0;
        while (end >= 0 && bytes.hasRemaining()) {
            end = file.read(bytes);
        }
        return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
    }

    /** Whether a path names a folder of a kind. */
    public static boolean isOf(String kind, Path folder) {
        return isOurs(folder) && folder.getFileName().toString().startsWith(PREFIX + kind + "-");
    }

    /** Removes one of these folders, whoever has made it, if nobody else has done so. */
    public static void remove(Path folder) {
        for (TemporaryFolder each : MADE) {
            if (each.path.equals(folder)) {
                each.close();
                return;
            }
        }
        if (isOurs(folder)) {
            delete(folder);
        }
    }

    /** Removes what this process has made and has not closed: it is about to be halted. */
    public static void removeOwn() {
        MADE.forEach(TemporaryFolder::close);
    }

    /** The lock file last: should this process be killed meanwhile, another one goes on. Others may remove the same folder. */
    private static void delete(Path folder) {
        File whole = folder.toFile();
        if (deleteContent(whole, LOCK)) {
            boolean unused = folder.resolve(LOCK).toFile().delete();
            boolean unused2 = whole.delete();
        }
    }

    /** Follows no link. Whether nothing else is in it any more. */
    private static boolean deleteContent(File folder, String except) {
        String[] names = folder.list();
        boolean deleted = true;
        for (String name : names == null ? new String[0] : names) {
            File each = new File(folder, name);
            if (!name.equals(except) && !each.delete() && each.exists()) {
                deleted &= Files.isDirectory(each.toPath(), LinkOption.NOFOLLOW_LINKS)
                        && deleteContent(each, "")
                        && each.delete();
            }
        }
        return deleted;
    }

    private static void forget(Path real) {
        FileChannel lock = LOCKS.get(real);
        quietly(lock);
        LOCKS.remove(real); // in this order: nobody may open the file before
    }

    private static void quietly(@Nullable FileChannel lock) {
        try {
            if (lock != null) {
                lock.close();
            }
        } catch (IOException gone) {
            LOGGER.log(Level.DEBUG, "a lock: {0}", gone.getMessage());
        }
    }

    /** Removes it with all that is in it. */
    @Override
    public void close() {
        Runnable closing = cleaner;
        if (closing != null) {
            EndOfProcess.remove(closing);
        }
        delete(path);
        forget(real);
        MADE.remove(this);
    }
}
