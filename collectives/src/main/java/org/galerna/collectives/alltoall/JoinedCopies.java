package org.galerna.collectives.alltoall;

import org.galerna.collectives.team.Team;
import org.jspecify.annotations.Nullable;

/** Copies that each start where the one before has ended, in the source and in the target, are one copy. */
final class JoinedCopies {
    private final Team team;
    private @Nullable Object source;
    private @Nullable Object target;
    private long sourceOffset;
    private long targetOffset;
    private long length;

    JoinedCopies(Team team) {
        this.team = team;
    }

    /** A copy that is done when another one does not follow it, at the latest by {@link #finish}. */
    void add(Object from, long fromOffset, Object to, long toOffset, long bytes) {
        if (from == source
                && to == target
                && fromOffset == sourceOffset + length
                && toOffset == targetOffset + length) {
            length += bytes;
        } else if (bytes > 0) {
            finish();
            source = from;
            target = to;
            sourceOffset = fromOffset;
            targetOffset = toOffset;
            length = bytes;
        }
    }

    /** Does what has been added. */
    void finish() {
        if (source != null && target != null) {
            team.copy(source, sourceOffset, target, targetOffset, length);
            source = null;
            target = null;
            length = 0;
        }
    }
}
