package org.galerna.ranks;

import org.jspecify.annotations.Nullable;

/**
 * A job has not ended well: its ranks wait for each other, its time is over, a rank has called {@code Abort} or
 * {@code System.exit}, or the calling thread was interrupted. The message is the report that {@code galerna run} prints.
 * {@link RankFailedException} is for a rank that throws an exception, {@link RankAssertionError} for one whose assertion
 * fails.
 */
public class RanksException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** Exit status that {@code galerna run} would have. */
    private final int status;

    RanksException(String message, int status, @Nullable Throwable cause) {
        super(message, cause);
        this.status = status;
    }

    /** The exit status that {@code galerna run} would have: 3 after a deadlock, 124 after the time limit, and so on. */
    public int status() {
        return status;
    }
}
