package org.galerna.ranks;

import org.jspecify.annotations.Nullable;

/** A rank has thrown an exception, which is the cause. */
public final class RankFailedException extends RanksException {
    private static final long serialVersionUID = 1;

    /** The rank. */
    private final int rank;

    RankFailedException(int rank, String message, int status, @Nullable Throwable cause) {
        super(message, status, cause);
        this.rank = rank;
    }

    /** The rank that has failed. */
    public int rank() {
        return rank;
    }
}
