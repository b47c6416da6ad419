package org.galerna.launch;

import java.util.List;
import org.galerna.launch.report.Deadlock;
import org.galerna.link.InProcessWireup;
import org.galerna.link.RankMonitor;
import org.galerna.link.Wireup;
import org.jspecify.annotations.Nullable;

/** All ranks of a job, as threads of this JVM. */
final class WholeJob implements RankGroup {
    private final List<InProcessWireup> wireups;

    WholeJob(int ranks, Events events) {
        this.wireups = InProcessWireup.create(ranks, events::aborted);
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
            wireups.get(rank).explainEnd("it has ended without MPI.Finalize");
        }
    }

    @Override
    public boolean standStill(Deadlock deadlock) {
        return true;
    }

    @Override
    public void move() {
        // who waits for a job of this JVM alone waits for its end
    }
}
