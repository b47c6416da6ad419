package org.galerna.bench.suite;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The threads of this virtual machine that compile. What they have in hand can keep a core busy for more than a second, and
 * until it is done the program is slow, and stands still wherever the system gives them a core of its ranks.
 */
final class Compilers {
    private static final Path THREADS = Path.of("/proc/self/task");
    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** Looks in a row that find nothing compiled. */
    private static final int IDLE_LOOKS = 2;

    private static long idleSince = System.nanoTime() - LONGEST_NANOS; // guarded by the class
    private static long usedBefore; // guarded by the class
    private static long usedLast; // guarded by the class

    private Compilers() {}

    /**
     * Waits until they have nothing to do, five seconds at most. Of several threads that ask at once one looks for all.
     *
     * @return nanoseconds of processor time that they have taken since threads waited the last time
     * @throws UncheckedIOException if the system does not tell what threads do
     */
    static synchronized long awaitIdle() {
        long start = System.nanoTime();
        if (start - idleSince < IDLE_LOOKS * LOOK_NANOS) {
            return usedLast;
        }
        int idle = 0;
        long before = used();
        while (idle < IDLE_LOOKS && System.nanoTime() - start < LONGEST_NANOS) {
            LockSupport.parkNanos(LOOK_NANOS);
            long now = used();
            idle = now - before < IDLE_NANOS ? idle + 1 : 0;
            before = now;
        }
        idleSince = System.nanoTime();
        usedLast = before - usedBefore;
        usedBefore = before;
        return usedLast;
    }

    /** Nanoseconds of processor time that they have taken so far. */
    private static long used() {
        long sum = 0;
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(THREADS)) {
            for (Path thread : threads) {
                sum += used(thread);
            }
            return sum;
        } catch (IOException untold) {
            throw new UncheckedIOException(untold);
        }
    }

    private static long used(Path thread) throws IOException {
        try {
            String name = Files.readString(thread.resolve("comm"));
            return name.startsWith("C1 Comp") || name.startsWith("C2 Comp")
                    ? Long.parseLong(
                            Files.readString(thread.resolve("schedstat")).split(" ", 2)[0])
                    : 0;
        } catch (NoSuchFileException ended) {
            return 0;
        }
    }
}
