package org.galerna.launch;

import java.util.List;
import java.util.Optional;
import org.galerna.launch.watch.DeadlockDecision;
import org.galerna.launch.watch.DeadlockDecision.Conclusion;
import org.galerna.launch.watch.Question;
import org.galerna.launch.watch.Standstill;
import org.galerna.link.FrameHandler;
import org.galerna.link.RankMonitor;
import org.galerna.link.Wireup;
import org.galerna.link.wireup.InProcessWireup;
import org.jspecify.annotations.Nullable;

/** All ranks of a job, as threads of this JVM. */
final class WholeJob implements RankGroup {
    private final List<InProcessWireup> wireups;
    private final DeadlockDecision decision = new DeadlockDecision(List.of(0));

    WholeJob(int ranks, Optional<String> device, Events events) {
        this.wireups = InProcessWireup.create(ranks, device, events::aborted);
    }

    @Override
    public int first() {
        return 0;
    }

    @Override
    public Wireup wireup(int rank) {
        return wireups.get(rank);
    }

    @Override
    public @Nullable RankMonitor monitor(int rank) {
        return wireups.get(rank).monitors().stream()
                .filter(monitor -> monitor.rank() == rank)
                .findFirst()
                .orElse(null);
    }

    @Override
    public void left(int rank, boolean unfinished) {
        if (unfinished) {
            wireups.get(rank).explainEnd(FrameHandler.UNFINISHED);
        }
    }

    @Override
    public Question question() {
        return decision.question();
    }

    @Override
    public Optional<Conclusion> standStill(long round, Standstill standstill) {
        // that a rank has ended is a part of what the one process says
        decision.says(0, round, standstill);
        return decision.conclude();
    }
}
