package org.galerna.launch.report;

import java.time.Duration;
import java.util.List;
import org.galerna.link.MissedCollective;
import org.jspecify.annotations.Nullable;

/** Why a job has ended. */
public sealed interface Outcome {
    /** Exit status of the job, 0 if all is well. */
    int status();

    /** The collective that a rank has not called before its end; null if that is not what has happened. */
    default @Nullable MissedCollective missed() {
        return null;
    }

    /** Every rank has come to its end. */
    record Completed() implements Outcome {
        @Override
        public int status() {
            return ExitStatus.OK;
        }
    }

    /**
     * The program could not be started.
     *
     * @param reason one sentence
     */
    record NotStarted(String reason) implements Outcome {
        @Override
        public int status() {
            return ExitStatus.USAGE;
        }
    }

    /** A rank has called {@code System.exit} or the like with a status that is not zero. */
    record Exited(int rank, int status) implements Outcome {}

    /** A rank has ended the job, e.g. by {@code MPI.COMM_WORLD.Abort}. */
    record Aborted(int rank, int status, String reason) implements Outcome {}

    /**
     * A thread of a rank has died of an exception.
     *
     * @param thread name of the thread
     */
    record Failed(int rank, String thread, Throwable exception) implements Outcome {
        @Override
        public @Nullable MissedCollective missed() {
            return StackTraces.missed(exception);
        }

        @Override
        public int status() {
            return ExitStatus.FAILED;
        }
    }

    /**
     * A thread of a rank in another process has died of an exception.
     *
     * @param thread name of the thread
     * @param text the exception with its calls and causes, and advice, in lines
     * @param byLostPeer whether it is a consequence of the end of another rank
     * @param missed the collective that another rank has not called before its end; null if it is something else
     */
    record FailedElsewhere(
            int rank,
            String thread,
            String text,
            boolean byLostPeer,
            @Nullable MissedCollective missed) implements Outcome {
        /** What a rank of this process tells others about its failure. */
        public static FailedElsewhere of(int rank, String thread, Throwable exception) {
            return new FailedElsewhere(
                    rank,
                    thread,
                    StackTraces.withAdvice(exception),
                    StackTraces.isByLostPeer(exception),
                    StackTraces.missed(exception));
        }

        /** Whether another failure is the same one, as another rank sees it. */
        public boolean isSame(FailedElsewhere other) {
            return missed != null && other.missed != null && missed.isSame(other.missed);
        }

        /** With the ranks of another one that {@link #isSame}. */
        public FailedElsewhere with(FailedElsewhere other) {
            return missed == null || other.missed == null
                    ? this
                    : new FailedElsewhere(rank, thread, text, byLostPeer, missed.with(other.missed));
        }

        @Override
        public int status() {
            return ExitStatus.FAILED;
        }
    }

    /**
     * Processes of ranks were killed.
     *
     * @param ranks the ranks, in the order of their ends, at least one
     * @param otherwise how the job has ended apart from that
     */
    record Killed(List<KilledRank> ranks, Outcome otherwise) implements Outcome {
        /** An outcome with the list copied. */
        public Killed {
            ranks = List.copyOf(ranks);
        }

        /** That of the killed process, unless the others have ended the job in another way than by failing. */
        @Override
        public int status() {
            return switch (otherwise) {
                case Completed completed -> ranks.getFirst().status();
                case FailedElsewhere failed -> ranks.getFirst().status();
                default -> otherwise.status();
            };
        }
    }

    /**
     * A host was lost.
     *
     * @param host its name
     * @param how what is known, a part of a sentence
     */
    record HostLost(String host, String how) implements Outcome {
        @Override
        public int status() {
            return ExitStatus.FAILED;
        }
    }

    /** The time was over; {@code positions} tells where each rank was. */
    record TimedOut(Duration limit, List<RankPosition> positions) implements Outcome {
        /** An outcome with the list copied. */
        public TimedOut {
            positions = List.copyOf(positions);
        }

        @Override
        public int status() {
            return ExitStatus.TIMEOUT;
        }
    }

    /** No rank could go on. */
    record Deadlocked(Deadlock deadlock) implements Outcome {
        @Override
        public int status() {
            return ExitStatus.DEADLOCK;
        }
    }

    /**
     * The job was ended from outside.
     *
     * @param positions where each rank was; empty if nobody asks
     */
    record Interrupted(List<RankPosition> positions) implements Outcome {
        /** An outcome with the list copied. */
        public Interrupted {
            positions = List.copyOf(positions);
        }

        /** That of a job whose ranks nobody asks for. */
        public Interrupted() {
            this(List.of());
        }

        @Override
        public int status() {
            return ExitStatus.INTERRUPTED;
        }
    }
}
