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
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.galerna.launch.rank.RankContext;
import org.jspecify.annotations.Nullable;

/**
 * What the code of ranks calls where its source locks files. To the JDK, a lock belongs to the JVM; a second one throws.
 * Between ranks, which stand for processes, it is as between processes: the second rank waits, or gets none. Not meant
 * to be called by hand. Threads that work for no rank get the original.
 */
public final class RankLocks {
    /** How often a rank that waits for another one's lock tries again. */
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    /**
     * What ranks hold or wait for. A rank enters what it is about to ask for first, so that another one that is refused
     * for it finds it here.
     */
    private static final List<Claim> CLAIMS = new CopyOnWriteArrayList<>();

    /** How many claims there ever were. */
    private static final AtomicLong ADDED = new AtomicLong();

    private RankLocks() {}

    /** A part of a file; without a lock as long as the rank waits for it. */
    private static final class Claim {
        private final RankContext rank;
        private final Channel channel;
        private final long position;
        private final long size;
        private volatile @Nullable FileLock lock;

        Claim(RankContext rank, Channel channel, long position, long size) {
            this.rank = rank;
            this.channel = channel;
            this.position = position;
            this.size = size;
        }

        /** Whether the JDK does not have the lock any more. */
        boolean isOver() {
            FileLock held = lock;
            if (held == null || held.isValid()) {
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
            return start < end(position, size) && position < end(start, length);
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

    /** One way to lock a channel. */
    @FunctionalInterface
    private interface Locking {
        @Nullable
        FileLock lock() throws IOException;
    }

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
        while (true) {
            Rivals rivals = Rivals.of(rank, position, size);
            try {
                return claim(rank, channel, position, size, () -> channel.lock(position, size, shared));
            } catch (OverlappingFileLockException held) {
                throwIfOwn(held, rivals, rank, channel, position, size);
                Optional<FileLock> joined = join(rank, channel, position, size, shared);
                if (joined.isPresent()) {
                    return joined.get();
                }
            }
            LockSupport.parkNanos(PAUSE_NANOS);
            if (Thread.currentThread().isInterrupted()) {
                throw new FileLockInterruptionException();
            }
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

    private static @Nullable FileLock tryLock(
            Channel channel, long position, long size, boolean shared, Locking locking) throws IOException {
        RankContext rank = RankContext.current();
        if (rank == null) {
            return locking.lock();
        }
        Rivals rivals = Rivals.of(rank, position, size);
        try {
            return claim(rank, channel, position, size, locking);
        } catch (OverlappingFileLockException held) {
            throwIfOwn(held, rivals, rank, channel, position, size);
            return join(rank, channel, position, size, shared).orElse(null);
        }
    }

    private static @Nullable FileLock claim(
            RankContext rank, Channel channel, long position, long size, Locking locking) throws IOException {
        CLAIMS.removeIf(Claim::isOver);
        Claim claim = new Claim(rank, channel, position, size);
        add(claim);
        FileLock lock = null;
        try {
            lock = locking.lock();
            if (lock != null && lock.isShared()) {
                lock = SharedLock.of(channel, position, size, new Common(lock));
            }
            claim.lock = lock;
            return lock;
        } finally {
            if (lock == null) {
                CLAIMS.remove(claim);
            }
        }
    }

    /** What a rank locks twice is the program's own mistake, as in a process; and so is what no other rank can have locked. */
    private static void throwIfOwn(
            OverlappingFileLockException held,
            Rivals rivals,
            RankContext rank,
            Channel channel,
            long position,
            long size) {
        boolean own = CLAIMS.stream().anyMatch(claim -> claim.isOwn(rank, channel, position, size));
        if (own || !rivals.mayHaveBeenInTheWay()) {
            throw held;
        }
    }

    private static void add(Claim claim) {
        CLAIMS.add(claim);
        ADDED.incrementAndGet();
    }

    /**
     * Whether others may have been in the way of an attempt. It is asked afterwards, and they may have let go by then. So this
     * looks for their claims before the attempt, after it has read how many claims there ever were. Each claim is added, and
     * counted, before its lock is taken. So a lock that the attempt met either has a claim that was seen before, or one that
     * was counted since, in addition to that of the attempt.
     */
    private record Rivals(long added, boolean seen) {
        static Rivals of(RankContext rank, long position, long size) {
            long added = ADDED.get();
            return new Rivals(added, !inTheWay(rank, position, size).isEmpty());
        }

        boolean mayHaveBeenInTheWay() {
            return seen || ADDED.get() > added + 1;
        }
    }

    /** A lock that others share already; the JDK has one for all of them. */
    private static Optional<FileLock> join(
            RankContext rank, Channel channel, long position, long size, boolean shared) {
        List<Claim> others = inTheWay(rank, position, size);
        if (!shared || !others.stream().allMatch(other -> other.lock instanceof SharedLock)) {
            return Optional.empty();
        }
        for (Claim other : others) {
            if (other.lock instanceof SharedLock lock && lock.common.join()) {
                Claim claim = new Claim(rank, channel, position, size);
                FileLock own = SharedLock.of(channel, position, size, lock.common);
                claim.lock = own;
                add(claim);
                return Optional.of(own);
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
            FileLock held = claim.lock;
            if (claim.rank == rank && held != null) {
                release(held);
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
