package org.galerna.ranks;

import org.jspecify.annotations.Nullable;

/** An assertion has failed in a rank; its error is the cause. */
public final class RankAssertionError extends AssertionError {
    private static final long serialVersionUID = 1;

    /** The rank. */
    private final int rank;

    RankAssertionError(int rank, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.rank = rank;
    }

    /** The rank whose assertion has failed. */
    public int rank() {
        return rank;
    }
}
