package org.galerna.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Runs the ranks of a test's job, one thread each, and says what they were doing if they do not end. */
public final class RankThreads {
    /** System property: by how much more time tests have, on a machine that is emulated. */
    public static final String PATIENCE = "test.patience";

    /** By which limits of tests are longer on this machine. */
    public static final int PATIENCE_FACTOR = Integer.getInteger(PATIENCE, 1);

    /** How long the ranks of one test may take unless it says otherwise. */
    public static final Duration LIMIT = Duration.ofSeconds(60L * PATIENCE_FACTOR);

    private RankThreads() {}

    /** What one rank does. */
    @FunctionalInterface
    public interface Program {
        /** Runs as the given rank. */
        void run(int rank) throws Exception;
    }

    /** Runs {@code size} ranks on platform threads and waits for all of them. */
    public static void run(int size, Program program) {
        run(factory(), size, LIMIT, program);
    }

    /** Makes platform threads for ranks, each in a group of its own. */
    public static ThreadFactory factory() {
        return task ->
                Thread.ofPlatform().group(new ThreadGroup("rank")).daemon().unstarted(task);
    }

    /**
     * Runs {@code size} ranks and waits for all of them.
     *
     * @throws AssertionError with the first failure of a rank, or with the stacks of all ranks if the time is over
     */
    public static void run(ThreadFactory factory, int size, Duration limit, Program program) {
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        List<Thread> ranks = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            int me = rank;
            Thread thread = factory.newThread(() -> {
                try {
                    program.run(me);
                } catch (Throwable thrown) {
                    failure.compareAndSet(null, new AssertionError("rank " + me + ": " + thrown.getMessage(), thrown));
                }
            });
            thread.setName("rank " + rank);
            ranks.add(thread);
        }
        ranks.forEach(Thread::start);
        boolean ended = join(ranks, limit, failure);
        Throwable thrown = failure.get();
        if (thrown != null) {
            ranks.forEach(Thread::interrupt);
            throw new AssertionError(thrown.getMessage(), thrown);
        }
        if (!ended) {
            throw new AssertionError("the ranks have not ended within " + limit.toSeconds() + " s" + stacks(ranks));
        }
    }

    /** Waits for the ranks; after a failure only briefly, since the others may wait for the one that failed. */
    private static boolean join(List<Thread> ranks, Duration limit, AtomicReference<@Nullable Throwable> failure) {
        long end = System.nanoTime() + limit.toNanos();
        boolean failed = false;
        for (Thread rank : ranks) {
            while (rank.isAlive()) {
                if (!failed && failure.get() != null) {
                    failed = true;
                    end = Math.min(
                            end, System.nanoTime() + Duration.ofSeconds(2).toNanos());
                }
                if (System.nanoTime() - end > 0) {
                    return false;
                }
                try {
                    rank.join(Duration.ofMillis(20));
                } catch (InterruptedException interrupted) {
                    Thread.currentThread().interrupt();
                    throw new AssertionError("interrupted while the ranks ran" + stacks(ranks), interrupted);
                }
            }
        }
        return true;
    }

    private static String stacks(List<Thread> ranks) {
        StringBuilder text = new StringBuilder();
        for (Thread rank : ranks) {
            if (rank.isAlive()) {
                text.append("\n").append(rank.getName()).append(":");
                for (StackTraceElement frame : rank.getStackTrace()) {
                    text.append("\n    at ").append(frame);
                }
            }
        }
        return text.toString();
    }
}
