package org.galerna.launch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.Channel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.FileLockInterruptionException;
import java.nio.channels.OverlappingFileLockException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.galerna.launch.rank.RankContext;
import org.jspecify.annotations.Nullable;

/**
 * What the code of ranks calls where its source locks files. To the JDK, a lock belongs to the JVM; a second one throws.
 * Between ranks, which stand for processes, it is as between processes: the second rank waits, or gets none. Not meant
 * to be called by hand. Threads that work for no rank get the original.
 */
public final class RankLocks {
    /** How often a rank that waits for a lock tries again. */
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    /**
     * Held while a rank asks the JDK for a lock and enters what it gets. Asking does not wait, so neither does anybody for
     * this. Ranks give locks up without it.
     */
    private static final ReentrantLock ASKING = new ReentrantLock();

    /** What ranks hold; grows under {@link #ASKING} alone. */
    private static final List<Claim> CLAIMS = new CopyOnWriteArrayList<>();

    private RankLocks() {}

    /** A part of a file that a rank holds. */
    private record Claim(RankContext rank, Channel channel, FileLock lock) {
        /** Whether the JDK does not have the lock any more. */
        boolean isOver() {
            if (lock.isValid()) {
                return false;
            }
            if (!channel.isOpen()) {
                awaitClosed();
            }
            return true;
        }

        /** A channel is not open from the beginning of its close on, and gives its locks up later in it. */
        private void awaitClosed() {
            try {
                channel.close(); // waits for a close that is under way, and does nothing itself
            } catch (IOException impossible) {
                throw new UncheckedIOException(impossible);
            }
        }

        boolean isInTheWayOf(RankContext asking, long start, long length) {
            // the file is not known, so that what another rank holds of any file counts
            return rank != asking && !isOver() && overlaps(start, length);
        }

        /** Whether the rank holds this itself; of channels of one file, only the same one is known to be of that file. */
        boolean isOwn(RankContext asking, Channel asked, long start, long length) {
            return rank == asking && channel == asked && !isOver() && overlaps(start, length);
        }

        private boolean overlaps(long start, long length) {
            return start < end(lock.position(), lock.size()) && lock.position() < end(start, length);
        }

        /** A size of zero reaches to the end of the file. */
        private static long end(long start, long length) {
            return length == 0 || start + length < 0 ? Long.MAX_VALUE : start + length;
        }
    }

    /** One lock of the JDK, for ranks that share a part of a file. */
    private static final class Common {
        private final FileLock real;
        private final AtomicInteger users = new AtomicInteger(1);

        Common(FileLock real) {
            this.real = real;
        }

        boolean join() {
            return users.getAndUpdate(number -> number == 0 ? 0 : number + 1) > 0;
        }

        void leave() throws IOException {
            if (users.decrementAndGet() == 0 && real.acquiredBy().isOpen()) {
                real.release();
            }
        }
    }

    /** What a rank has of a lock that it may share with others. */
    private static final class SharedLock extends FileLock {
        private final Common common;
        private final AtomicBoolean releasing = new AtomicBoolean();
        private volatile boolean released;

        SharedLock(FileChannel channel, long position, long size, Common common) {
            super(channel, position, size, true);
            this.common = common;
        }

        SharedLock(AsynchronousFileChannel channel, long position, long size, Common common) {
            super(channel, position, size, true);
            this.common = common;
        }

        static SharedLock of(Channel channel, long position, long size, Common common) {
            return channel instanceof FileChannel file
                    ? new SharedLock(file, position, size, common)
                    : new SharedLock((AsynchronousFileChannel) channel, position, size, common);
        }

        @Override
        public boolean isValid() {
            return !released && acquiredBy().isOpen();
        }

        @Override
        public void release() throws IOException {
            if (!acquiredBy().isOpen()) {
                throw new ClosedChannelException();
            }
            if (releasing.compareAndSet(false, true)) {
                try {
                    common.leave();
                } finally {
                    released = true; // once the JDK does not have it any more
                }
            }
        }
    }

    /** Asks the JDK for a lock, without waiting. */
    @FunctionalInterface
    private interface Asking {
        @Nullable
        FileLock tryLock() throws IOException;
    }

    /** What is wanted. */
    private record Wish(RankContext rank, Channel channel, long position, long size, boolean shared, Asking asking) {}

    /** For {@link FileChannel#lock()}. */
    public static @Nullable FileLock lock(FileChannel channel) throws IOException {
        return lock(channel, 0, Long.MAX_VALUE, false);
    }

    /** For {@link FileChannel#lock(long, long, boolean)}. */
    public static @Nullable FileLock lock(FileChannel channel, long position, long size, boolean shared)
            throws IOException {
        RankContext rank = RankContext.current();
        if (rank == null) {
            return channel.lock(position, size, shared);
        }
        Wish wish = new Wish(rank, channel, position, size, shared, () -> channel.tryLock(position, size, shared));
        while (true) {
            if (Thread.currentThread().isInterrupted()) {
                throw new FileLockInterruptionException();
            }
            FileLock lock = ask(wish);
            if (lock != null) {
                return lock;
            }
            LockSupport.parkNanos(PAUSE_NANOS);
            if (!channel.isOpen()) {
                throw new AsynchronousCloseException();
            }
        }
    }

    /** For {@link FileChannel#tryLock()}. */
    public static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        return tryLock(channel, 0, Long.MAX_VALUE, false);
    }

    /** For {@link FileChannel#tryLock(long, long, boolean)}. */
    public static @Nullable FileLock tryLock(FileChannel channel, long position, long size, boolean shared)
            throws IOException {
        return tryLock(channel, position, size, shared, () -> channel.tryLock(position, size, shared));
    }

    /** For {@link AsynchronousFileChannel#tryLock()}. */
    public static @Nullable FileLock tryLock(AsynchronousFileChannel channel) throws IOException {
        return tryLock(channel, 0, Long.MAX_VALUE, false);
    }

    /** For {@link AsynchronousFileChannel#tryLock(long, long, boolean)}. */
    public static @Nullable FileLock tryLock(AsynchronousFileChannel channel, long position, long size, boolean shared)
            throws IOException {
        return tryLock(channel, position, size, shared, () -> channel.tryLock(position, size, shared));
    }

    private static @Nullable FileLock tryLock(Channel channel, long position, long size, boolean shared, Asking asking)
            throws IOException {
        RankContext rank = RankContext.current();
        return rank == null ? asking.tryLock() : ask(new Wish(rank, channel, position, size, shared, asking));
    }

    /**
     * Locks what is wanted; null if another rank or process has it.
     *
     * @throws OverlappingFileLockException if the rank has it itself, or no rank does, but the JVM
     */
    private static @Nullable FileLock ask(Wish wish) throws IOException {
        ASKING.lock();
        try {
            while (true) {
                CLAIMS.removeIf(Claim::isOver);
                // Before the JDK is asked: whoever is in its way now may have let go when it has answered. Nobody else
                // can
                // have come to be in its way meanwhile.
                List<Claim> others = inTheWay(wish.rank, wish.position, wish.size);
                try {
                    return take(wish);
                } catch (OverlappingFileLockException held) {
                    if (isOwn(wish) || others.isEmpty()) {
                        throw held;
                    }
                    if (!wish.shared || !others.stream().allMatch(other -> other.lock instanceof SharedLock)) {
                        return null;
                    }
                    Optional<FileLock> joined = join(wish, others);
                    if (joined.isPresent()) {
                        return joined.get();
                    }
                    // all of them have let go
                }
            }
        } finally {
            ASKING.unlock();
        }
    }

    private static @Nullable FileLock take(Wish wish) throws IOException {
        FileLock lock = wish.asking.tryLock();
        if (lock == null) {
            return null;
        }
        return enter(
                wish, lock.isShared() ? SharedLock.of(wish.channel, wish.position, wish.size, new Common(lock)) : lock);
    }

    private static FileLock enter(Wish wish, FileLock lock) {
        CLAIMS.add(new Claim(wish.rank, wish.channel, lock));
        return lock;
    }

    /** What a rank locks twice is the program's own mistake, as in a process. */
    private static boolean isOwn(Wish wish) {
        return CLAIMS.stream().anyMatch(claim -> claim.isOwn(wish.rank, wish.channel, wish.position, wish.size));
    }

    /** A lock that others share already; the JDK has one for all of them. */
    private static Optional<FileLock> join(Wish wish, List<Claim> others) {
        for (Claim other : others) {
            if (other.lock instanceof SharedLock lock && lock.common.join()) {
                return Optional.of(enter(wish, SharedLock.of(wish.channel, wish.position, wish.size, lock.common)));
            }
        }
        return Optional.empty();
    }

    /** What a refusal may be due to. */
    private static List<Claim> inTheWay(RankContext rank, long position, long size) {
        return CLAIMS.stream()
                .filter(claim -> claim.isInTheWayOf(rank, position, size))
                .toList();
    }

    /** Gives up what a rank still holds, because it has ended. */
    static void release(RankContext rank) {
        for (Claim claim : CLAIMS) {
            if (claim.rank == rank) {
                release(claim.lock);
            }
        }
        CLAIMS.removeIf(claim -> claim.rank == rank);
    }

    private static void release(FileLock lock) {
        try {
            lock.release();
        } catch (IOException ofClosedChannel) {
            // which has released the lock when it was closed
            return;
        }
    }
}
