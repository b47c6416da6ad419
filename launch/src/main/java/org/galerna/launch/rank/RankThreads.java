package org.galerna.launch.rank;

import java.util.Arrays;
import java.util.List;

/** The platform threads of a rank: its main thread and what that has started, directly or not, but for Galerna's own. */
final class RankThreads extends ThreadGroup {
    private final RankContext context;

    RankThreads(RankContext context) {
        super("rank-" + context.rank());
        this.context = context;
    }

    @Override
    public void uncaughtException(Thread thread, Throwable exception) {
        context.uncaughtException(thread, exception);
    }

    /** Those alive at this moment. */
    List<Thread> alive() {
        Thread[] threads = new Thread[Math.max(16, 2 * activeCount())];
        int count = enumerate(threads);
        while (count == threads.length) {
            // one that does not fit is left out silently: ask again with room to spare
            threads = new Thread[2 * threads.length];
            count = enumerate(threads);
        }
        return Arrays.stream(threads, 0, count)
                .filter(thread -> !RankContext.isGalernas(thread))
                .toList();
    }
}
