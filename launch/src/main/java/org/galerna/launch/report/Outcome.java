package org.galerna.launch.report;

import java.time.Duration;
import java.util.List;

/** Why a job has ended. */
public sealed interface Outcome {
    /** Exit status of the job, 0 if all is well. */
    int status();

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

    /** The job was ended from outside. */
    record Interrupted() implements Outcome {
        @Override
        public int status() {
            return ExitStatus.INTERRUPTED;
        }
    }
}
