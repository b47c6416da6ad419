package org.galerna.launch.watch;

import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.galerna.launch.program.ProgramClasses;
import org.galerna.launch.rank.RankContext;
import org.galerna.link.RankMonitor;
import org.galerna.link.process.GalernaClasses;
import org.jspecify.annotations.Nullable;

/**
 * The only rank of this process.
 *
 * @param program the group of the program's threads
 * @param observed what the rank tells about its calls; null as long as it has not joined the others
 */
public record OwnProcess(int rank, ThreadGroup program, Supplier<@Nullable RankMonitor> observed)
        implements ObservedRank {
    @Override
    public boolean hasEnded() {
        return false;
    }

    @Override
    public @Nullable RankMonitor monitor() {
        return observed.get();
    }

    @Override
    public List<Thread> threads() {
        Thread[] threads = new Thread[Math.max(16, 2 * program.activeCount())];
        int count = program.enumerate(threads);
        return Arrays.stream(threads, 0, count)
                .filter(thread -> !RankContext.isGalernas(thread))
                .toList();
    }

    @Override
    public boolean owns(String className) {
        return !ProgramClasses.isPlatform(className) && !GalernaClasses.isInside(className);
    }
}
