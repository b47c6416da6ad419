package org.galerna.launch.wireup;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.galerna.launch.council.Council;
import org.jspecify.annotations.Nullable;

/**
 * A fence of a job that has met before. A rank may have ended in good order since, and managers let the others wait for
 * it for ever. So this looks meanwhile which ranks have ended.
 */
final class RepeatedFence {
    private static final long BETWEEN_LOOKS_MILLIS = 50;

    /** How long a process may take to end. */
    private static final Duration LONGEST_END = Duration.ofSeconds(2);

    private final FutureTask<@Nullable Void> fence;
    private final List<Map.Entry<Integer, byte[]>> others;

    /**
     * A fence at the manager.
     *
     * @param places where the processes of other ranks listen until they end
     */
    RepeatedFence(JobManager manager, Map<Integer, byte[]> places) {
        this.fence = new FutureTask<>(() -> {
            manager.fence();
            return null;
        });
        this.others = List.copyOf(places.entrySet());
    }

    /**
     * Waits for all ranks.
     *
     * @return a rank that has ended, so that not all can arrive; or nothing
     * @throws IOException if the manager fails, and no rank is known to have ended
     */
    OptionalInt await() throws IOException {
        ManagedWatch.startThread("galerna-fence", fence);
        boolean interrupted = false;
        OptionalInt ended = OptionalInt.empty();
        long patience = BETWEEN_LOOKS_MILLIS;
        try {
            for (int look = 0; ; look++) {
                try {
                    fence.get(patience, TimeUnit.MILLISECONDS);
                    return OptionalInt.empty();
                } catch (TimeoutException notYet) {
                    if (ended.isPresent()) {
                        return ended;
                    }
                    // one at a time, for there may be many
                    if (!others.isEmpty() && hasEnded(others.get(look % others.size()))) {
                        ended = OptionalInt.of(others.get(look % others.size()).getKey());
                        patience = LONGEST_END.toMillis(); // some managers notice, too, and can be asked again then
                    }
                } catch (InterruptedException later) {
                    interrupted = true;
                }
            }
        } catch (ExecutionException failed) {
            OptionalInt missing = awaitEnd();
            if (missing.isEmpty()) {
                throw failed.getCause() instanceof IOException lost ? lost : new IOException(failed);
            }
            return missing;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** A manager may tell that a rank has left before its process has ended. */
    private OptionalInt awaitEnd() {
        long deadline = System.nanoTime() + LONGEST_END.toNanos();
        while (true) {
            OptionalInt ended = others.stream()
                    .filter(RepeatedFence::hasEnded)
                    .mapToInt(Map.Entry::getKey)
                    .findFirst();
            if (ended.isPresent() || System.nanoTime() - deadline > 0) {
                return ended;
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(BETWEEN_LOOKS_MILLIS));
        }
    }

    /** True if the manager is still waited for, and must not be asked anything any more. */
    boolean isUnderWay() {
        return !fence.isDone();
    }

    private static boolean hasEnded(Map.Entry<Integer, byte[]> other) {
        return Council.hasEnded(other.getValue());
    }
}
