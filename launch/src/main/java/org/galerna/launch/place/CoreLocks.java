package org.galerna.launch.place;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.galerna.memory.Topology.Core;
import org.jspecify.annotations.Nullable;

/**
 * Tells jobs of one user on one host from which cores to keep away: two that bind their ranks to the same core halve each
 * other's speed, and the system must not help them. A core is a byte of a file that is locked; the locks of a process
 * that dies are gone with it. Where there can be no such file every core counts as free.
 */
final class CoreLocks implements AutoCloseable {
    /** Closing any channel to a file gives up all locks that the process has on it: there is one, and it stays open. */
    private static final @Nullable FileChannel CHANNEL = open();

    private final List<FileLock> locks = new ArrayList<>();

    private static @Nullable FileChannel open() {
        Path file = Path.of(
                System.getProperty("java.io.tmpdir", "/tmp"),
                "galerna-cores-" + System.getProperty("user.name", "unknown") + ".lock");
        try {
            return FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        } catch (IOException | UnsupportedOperationException impossible) {
            return null;
        }
    }

    /** Takes a core unless another job has it. */
    boolean take(Core core) {
        if (CHANNEL == null) {
            return true;
        }
        try {
            FileLock lock = CHANNEL.tryLock(core.id(), 1, false);
            if (lock == null) {
                return false;
            }
            locks.add(lock);
            return true;
        } catch (OverlappingFileLockException byAnotherJobOfThisJvm) {
            return false;
        } catch (IOException noLocksHere) {
            return true;
        }
    }

    /** Gives all cores back. */
    @Override
    public void close() {
        for (FileLock lock : locks) {
            try {
                lock.release();
            } catch (IOException gone) {
                // then it is released
            }
        }
        locks.clear();
    }
}
