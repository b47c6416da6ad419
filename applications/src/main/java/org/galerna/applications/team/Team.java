package org.galerna.applications.team;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import mpi.Intracomm;
import mpi.MPI;
import org.jspecify.annotations.Nullable;

/**
 * The threads of one rank, and the ranks beside it. All threads run the same code; the first one, which called, is the
 * only one that communicates.
 *
 * <p><b>Memory order.</b> A thread arrives by an atomic increment, and the last one to arrive advances the volatile
 * phase that the others read: what was written before a barrier is visible after it.
 */
public final class Team {
    private static final int PADDING = 16;
    private static final int SPINS = 2_000;
    private static final double MOST_WARM_UP = 5;

    private final Intracomm ranks;
    private final int size;
    private final AtomicInteger arrived = new AtomicInteger();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final double[] parts;
    private final double[] sum = new double[1];
    private final double[] total = new double[1];
    private volatile int phase;

    private Team(Intracomm ranks, int size) {
        this.ranks = ranks;
        this.size = size;
        this.parts = new double[size * PADDING];
    }

    /** Runs the same work in so many threads, and returns when all are done. */
    public static void run(Intracomm ranks, int size, Consumer<Member> work) {
        Team team = new Team(ranks, size);
        Thread[] others = new Thread[size - 1];
        for (int index = 1; index < size; index++) {
            Member member = team.new Member(index);
            others[index - 1] =
                    Thread.ofPlatform().name("team-" + index).daemon().start(() -> team.runOne(work, member));
        }
        team.runOne(work, team.new Member(0));
        for (Thread other : others) {
            joinUninterruptibly(other);
        }
        Throwable failed = team.failure.get();
        if (failed != null) {
            throw failed instanceof RuntimeException known ? known : new IllegalStateException(failed);
        }
    }

    private static void joinUninterruptibly(Thread other) {
        boolean interrupted = false;
        while (other.isAlive()) {
            try {
                other.join();
            } catch (InterruptedException early) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @SuppressWarnings("CatchingUnchecked") // the threads beside it have to end, whatever it was
    private void runOne(Consumer<Member> work, Member member) {
        try {
            work.accept(member);
        } catch (RuntimeException | Error failed) {
            failure.compareAndSet(null, failed);
        }
    }

    /** One thread, as it sees the team. */
    public final class Member {
        private final int index;

        private Member(int index) {
            this.index = index;
        }

        /** Whether this thread communicates. */
        public boolean isFirst() {
            return index == 0;
        }

        /** Its number. */
        public int index() {
            return index;
        }

        /** Number of threads of this rank. */
        public int threads() {
            return size;
        }

        /** The first of its share of {@code count} things. */
        public int from(int count) {
            return (int) ((long) count * index / size);
        }

        /** One past the last of its share. */
        public int to(int count) {
            return (int) ((long) count * (index + 1) / size);
        }

        /** Waits for the other threads of this rank. */
        public void barrier() {
            if (size == 1) {
                return;
            }
            int before = phase;
            if (arrived.incrementAndGet() == size) {
                arrived.set(0);
                phase = before + 1;
                return;
            }
            int spins = 0;
            while (phase == before) {
                if (failure.get() != null) {
                    throw new IllegalStateException("another thread has failed");
                }
                if (++spins < SPINS) {
                    Thread.onSpinWait();
                } else {
                    Thread.yield();
                }
            }
        }

        /** Lets the first thread work while the others wait. */
        public void once(Runnable work) {
            barrier();
            if (isFirst()) {
                work.run();
            }
            barrier();
        }

        /**
         * Does work that is not timed, so that the compiler is done with it: once, and then again until it has taken so many
         * seconds and the compilers of all ranks are at rest, or five times as long; all threads of all ranks do it equally often.
         *
         * @param seconds that it takes at least; 0 does the work once
         */
        public void warmUp(double seconds, Runnable work) {
            CompilerLoad compilers = new CompilerLoad();
            double start = System.nanoTime() * 1e-9;
            boolean isWarm;
            do {
                work.run();
                boolean asks = isFirst() && ranks.Rank() == 0;
                double taken = sum(asks ? System.nanoTime() * 1e-9 - start : 0);
                boolean isAtRest = sum(isFirst() && compilers.isBusy() ? 1 : 0) == 0;
                isWarm = taken >= (isAtRest ? seconds : MOST_WARM_UP * seconds);
            } while (!isWarm);
        }

        /** The sum over all threads of all ranks, in the same order every time. */
        public double sum(double part) {
            if (size == 1 && ranks.Size() == 1) {
                return part;
            }
            parts[index * PADDING] = part;
            once(() -> {
                double here = 0;
                for (int each = 0; each < size; each++) {
                    here += parts[each * PADDING];
                }
                sum[0] = here;
                total[0] = here;
                if (ranks.Size() > 1) {
                    ranks.Allreduce(sum, 0, total, 0, 1, MPI.DOUBLE, MPI.SUM);
                }
            });
            return total[0];
        }
    }
}
