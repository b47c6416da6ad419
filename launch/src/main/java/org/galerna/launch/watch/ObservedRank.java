package org.galerna.launch.watch;

import java.util.List;
import org.galerna.link.RankMonitor;
import org.jspecify.annotations.Nullable;

/** A rank as the watch sees it. */
public interface ObservedRank {
    /** Its number. */
    int rank();

    /** True once the job need not wait for it any more. */
    boolean hasEnded();

    /** What it tells about its calls; null as long as it has not joined the others. */
    @Nullable
    RankMonitor monitor();

    /** The platform threads that belong to it. */
    List<Thread> threads();

    /** True if a class of that name is the rank's own. */
    boolean owns(String className);

    /** True if threads of nobody's may wake those of the rank, since they have objects in common. */
    default boolean isOpen() {
        return false;
    }
}
