package org.galerna.harness;

/** Ends the thread of a rank that has ended the job. */
public final class JobAborted extends Error {
    private static final long serialVersionUID = 1L;

    private final int rank;
    private final int status;

    JobAborted(int rank, int status, String reason) {
        super(reason);
        this.rank = rank;
        this.status = status;
    }

    /** Rank that ended the job. */
    public int rank() {
        return rank;
    }

    /** Exit status of the job. */
    public int status() {
        return status;
    }
}
