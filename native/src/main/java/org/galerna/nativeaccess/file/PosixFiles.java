package org.galerna.nativeaccess.file;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.galerna.nativeaccess.call.CFunction;
import org.galerna.nativeaccess.call.Platform;
import org.jspecify.annotations.Nullable;

/**
 * Files by descriptor, relative to folders that are open, as {@code java.nio.file} does not offer them: created
 * exclusively, never through a symbolic link, with their space reserved, mapped, and with locks that belong to the open
 * file and not to the process. Descriptors are not inherited by programs that this process starts. Linux only.
 *
 * <p>Any thread may call; no method waits for another process.
 */
public final class PosixFiles {
    private static final int EINTR = 4;
    private static final int EACCES = 13;
    private static final int EAGAIN = 11;

    private static final int AT_FDCWD = -100;
    private static final int AT_REMOVEDIR = 0x200;
    private static final int AT_EMPTY_PATH = 0x1000;

    private static final int O_RDWR = 2;
    private static final int O_CREAT = 0x40;
    private static final int O_EXCL = 0x80;
    private static final int O_CLOEXEC = 0x80000;

    /** The two flags that differ between processors. */
    private static final boolean ARM = System.getProperty("os.arch", "").equals("aarch64");

    private static final int O_DIRECTORY = ARM ? 0x4000 : 0x10000;
    private static final int O_NOFOLLOW = ARM ? 0x8000 : 0x20000;

    private static final int F_OFD_GETLK = 36;
    private static final int F_OFD_SETLK = 37;
    private static final short F_WRLCK = 1;
    private static final short F_UNLCK = 2;

    /** {@code struct flock}: type (2), whence (2), start (8) at 8, length (8) at 16, process (4) at 24. */
    private static final long FLOCK_BYTES = 32;

    private static final int STATX_BASIC = 0x7ff;
    private static final long STATX_BYTES = 256;

    private static final int PROTECTION_READ_WRITE = 3;

    /** Shared, and with all pages in the page table at once, so that no access has to wait for one. */
    private static final int MAP_SHARED_POPULATE = 0x8001;

    private static final int MADVISE_REMOVE = 9;

    private static final @Nullable String UNAVAILABLE = Platform.obstacle(
                    "files are shared between processes on Linux only")
            .orElse(null);
    private static final Optional<PosixFiles> INSTANCE = UNAVAILABLE == null ? bind() : Optional.empty();

    private final CFunction openat = CFunction.of("openat");
    private final CFunction mkdirat = CFunction.of("mkdirat");
    private final CFunction unlinkat = CFunction.of("unlinkat");
    private final CFunction renameat = CFunction.of("renameat");
    private final CFunction linkat = CFunction.of("linkat");
    private final CFunction statx = CFunction.of("statx");
    private final CFunction fallocate = CFunction.of("posix_fallocate");
    private final CFunction mmap = CFunction.of("mmap");
    private final CFunction munmap = CFunction.of("munmap");
    private final CFunction madvise = CFunction.of("madvise");
    private final CFunction fcntl = CFunction.of("fcntl");
    private final CFunction close = CFunction.of("close");
    private final CFunction geteuid = CFunction.of("geteuid");

    private PosixFiles() {}

    /** The binding; empty where there is none, see {@link #unavailable}. */
    public static Optional<PosixFiles> instance() {
        return INSTANCE;
    }

    /** Why these calls cannot be made here, in one sentence; empty if they can. */
    public static Optional<String> unavailable() {
        return INSTANCE.isPresent()
                ? Optional.empty()
                : Optional.of(UNAVAILABLE == null ? "the C library lacks calls for shared files" : UNAVAILABLE);
    }

    private static Optional<PosixFiles> bind() {
        try {
            return Optional.of(new PosixFiles());
        } catch (UnsatisfiedLinkError missing) {
            return Optional.empty();
        }
    }

    /**
     * What is known of an open file.
     *
     * @param device identity of the file system it is in
     * @param inode identity within the file system
     * @param user number of the user who owns it
     * @param permissions the nine bits that say who may do what
     * @param folder whether it is a folder
     * @param regular whether it is an ordinary file
     * @param bytes its size
     * @param links number of its names; 0 once it has been removed
     */
    public record Status(
            long device,
            long inode,
            int user,
            int permissions,
            boolean folder,
            boolean regular,
            long bytes,
            int links) {}

    /** Number of the user that this process acts for. */
    public int user() {
        return (int) geteuid.call(CFunction.IGNORED);
    }

    /** Opens a folder by its path; the last name of the path must not be a symbolic link. */
    public int openFolder(String path) throws SystemCallException {
        return open(AT_FDCWD, path, O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    }

    /** Opens a folder in an open folder; it must not be a symbolic link. */
    public int openFolder(int folder, String name) throws SystemCallException {
        return open(folder, name, O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    }

    /** Makes a folder that only its owner can enter. */
    public void makeFolder(int folder, String name) throws SystemCallException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = CFunction.state(arena);
            int result = (int) mkdirat.call(state, folder, text(arena, name), 0700);
            check(result, state, "cannot make the folder " + name);
        }
    }

    /** Creates a file that only its owner can read and write; fails if anything of that name is there. */
    public int create(int folder, String name) throws SystemCallException {
        return open(folder, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC);
    }

    /** Address of a text as C has it, in UTF-8; byte by byte, since a copy of an array makes the virtual machine write a class in each start. */
    private static long text(Arena arena, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        MemorySegment memory = arena.allocate(bytes.length + 1L); // of zeros
        for (int at = 0; at < bytes.length; at++) {
            memory.set(JAVA_BYTE, at, bytes[at]);
        }
        return memory.address();
    }

    /** Opens a file for reading and writing, which is created if it is not there; it must not be a symbolic link. */
    public int openOrCreate(int folder, String name) throws SystemCallException {
        return open(folder, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC);
    }

    /** Opens a file for reading and writing; it must not be a symbolic link. */
    public int open(int folder, String name) throws SystemCallException {
        return open(folder, name, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    }

    private int open(int folder, String name, int flags) throws SystemCallException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = CFunction.state(arena);
            int descriptor = (int) openat.call(state, folder, text(arena, name), flags, 0600);
            return check(descriptor, state, "cannot open " + name);
        }
    }

    /** What is known of an open file or folder. */
    public Status status(int descriptor) throws SystemCallException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = CFunction.state(arena);
            MemorySegment status = arena.allocate(STATX_BYTES, 8);
            int result =
                    (int) statx.call(state, descriptor, text(arena, ""), AT_EMPTY_PATH, STATX_BASIC, status.address());
            check(result, state, "cannot examine an open file");
            int mode = status.get(JAVA_SHORT, 28) & 0xffff;
            long device = (long) status.get(JAVA_INT, 136) << 32 | (status.get(JAVA_INT, 140) & 0xffffffffL);
            int type = mode >>> 12;
            return new Status(
                    device,
                    status.get(JAVA_LONG, 32),
                    status.get(JAVA_INT, 20),
                    mode & 0777,
                    type == 4,
                    type == 8,
                    status.get(JAVA_LONG, 40),
                    status.get(JAVA_INT, 16));
        }
    }

    /** Makes a file so long, with all its space reserved: an access to it cannot fail for want of room later. */
    public void reserve(int descriptor, long bytes) throws SystemCallException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = CFunction.state(arena);
            int errno;
            do {
                errno = (int) fallocate.call(state, descriptor, 0L, bytes);
            } while (errno == EINTR);
            if (errno != 0) {
                throw failure("cannot reserve " + bytes + " bytes", errno);
            }
        }
    }

    /** Maps the first {@code bytes} of a file, shared with all who map it, until the arena is closed or collected. */
    public MemorySegment map(int descriptor, long bytes, Arena arena) throws SystemCallException {
        return map(descriptor, 0, bytes, arena, () -> {});
    }

    /**
     * Maps a part of a file, shared with all who map it, until the arena is closed or collected.
     *
     * @param start first byte, a multiple of the size of a page
     * @param released is run when the memory is no longer mapped; must not refer to it
     */
    @SuppressWarnings("restricted")
    public MemorySegment map(int descriptor, long start, long bytes, Arena arena, Runnable released)
            throws SystemCallException {
        long address;
        try (Arena local = Arena.ofConfined()) {
            MemorySegment state = CFunction.state(local);
            address = mmap.call(state, 0L, bytes, PROTECTION_READ_WRITE, MAP_SHARED_POPULATE, descriptor, start);
            check(address == -1 ? -1 : 0, state, "cannot map " + bytes + " bytes");
        }
        return MemorySegment.ofAddress(address).reinterpret(bytes, arena, memory -> {
            unmap(memory);
            released.run();
        });
    }

    private void unmap(MemorySegment memory) {
        munmap.call(CFunction.IGNORED, memory.address(), memory.byteSize());
    }

    /** Gives the memory of a mapped file back to the system, in all processes; reading it finds zeros from now on. */
    public void discard(MemorySegment memory) {
        madvise.call(CFunction.IGNORED, memory.address(), memory.byteSize(), MADVISE_REMOVE);
    }

    /** Gives a file another name in the same folder, in one step; what had that name is gone. */
    public void rename(int folder, String name, String newName) throws SystemCallException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = CFunction.state(arena);
            int result = (int) renameat.call(state, folder, text(arena, name), folder, text(arena, newName));
            check(result, state, "cannot rename " + name + " to " + newName);
        }
    }

    /**
     * Gives a file a second name in the same folder, in one step.
     *
     * @throws SystemCallException with {@link SystemCallException#EEXIST} if that name is taken
     */
    public void link(int folder, String name, String secondName) throws SystemCallException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = CFunction.state(arena);
            int result = (int) linkat.call(state, folder, text(arena, name), folder, text(arena, secondName), 0);
            check(result, state, "cannot name ".concat(name).concat(" also ").concat(secondName));
        }
    }

    /** Removes a file. Returns false if there is none, or it cannot be removed. */
    public boolean remove(int folder, String name) {
        return unlink(folder, name, 0);
    }

    /** Removes an empty folder. Returns false if there is none, or it is not empty. */
    public boolean removeFolder(int folder, String name) {
        return unlink(folder, name, AT_REMOVEDIR);
    }

    private boolean unlink(int folder, String name, int flags) {
        try (Arena arena = Arena.ofConfined()) {
            return (int) unlinkat.call(CFunction.IGNORED, folder, text(arena, name), flags) == 0;
        }
    }

    /**
     * Locks one byte of a file, whether the file has it or not. The lock belongs to this opening of the file: it ends
     * when the process dies, however it dies, or when the descriptor is closed and no memory is mapped by it any more.
     *
     * @return false if somebody else has it
     */
    public boolean tryLock(int descriptor, long at) throws SystemCallException {
        return lock(descriptor, F_OFD_SETLK, F_WRLCK, at, 1) != null;
    }

    /**
     * Locks all bytes of a file, those beyond its end too, which are as many locks of {@link #tryLock} at once.
     *
     * @return false if somebody else has locked any byte; then nothing has changed
     */
    public boolean tryLockAll(int descriptor) throws SystemCallException {
        return lock(descriptor, F_OFD_SETLK, F_WRLCK, 0, 0) != null;
    }

    /** Gives the lock of a byte back. */
    public void unlock(int descriptor, long at) throws SystemCallException {
        lock(descriptor, F_OFD_SETLK, F_UNLCK, at, 1);
    }

    /** Gives all locks of this opening of the file back. */
    public void unlockAll(int descriptor) throws SystemCallException {
        lock(descriptor, F_OFD_SETLK, F_UNLCK, 0, 0);
    }

    /**
     * Whether somebody else, in whatever process, has locked one of these bytes; the locks of this opening do not count.
     *
     * @param length bytes to look at; 0 for all that follow
     */
    public boolean isLockedByOthers(int descriptor, long start, long length) throws SystemCallException {
        Lock found = lock(descriptor, F_OFD_GETLK, F_WRLCK, start, length);
        return found == null || found.type != F_UNLCK;
    }

    /** Whether somebody else has locked this byte, and not by {@link #tryLockAll}. */
    public boolean isLockedAloneByOthers(int descriptor, long at) throws SystemCallException {
        Lock found = lock(descriptor, F_OFD_GETLK, F_WRLCK, at, 1);
        return found != null && found.type != F_UNLCK && found.length == 1;
    }

    /** What the system answers; its length is 0 if it goes on beyond every byte. */
    private record Lock(short type, long length) {}

    /** Null if somebody else has locked one of the bytes. */
    private @Nullable Lock lock(int descriptor, int command, short type, long start, long length)
            throws SystemCallException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = CFunction.state(arena);
            MemorySegment flock = arena.allocate(FLOCK_BYTES, 8);
            flock.set(JAVA_SHORT, 0, type);
            flock.set(JAVA_LONG, 8, start);
            flock.set(JAVA_LONG, 16, length);
            int result = (int) fcntl.call(state, descriptor, command, flock.address());
            int errno = CFunction.errno(state);
            if (result < 0 && (errno == EAGAIN || errno == EACCES)) {
                return null;
            }
            check(result, state, "cannot lock byte " + start + " of a file");
            return new Lock(flock.get(JAVA_SHORT, 0), flock.get(JAVA_LONG, 16));
        }
    }

    /** Closes a file or folder. */
    public void close(int descriptor) {
        close.call(CFunction.IGNORED, descriptor);
    }

    private static int check(int result, MemorySegment state, String what) throws SystemCallException {
        if (result < 0) {
            throw failure(what, CFunction.errno(state));
        }
        return result;
    }

    private static SystemCallException failure(String what, int errno) {
        return new SystemCallException(what, errno, CFunction.describe(errno));
    }
}
