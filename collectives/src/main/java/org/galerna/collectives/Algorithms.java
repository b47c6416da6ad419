package org.galerna.collectives;

import java.lang.ref.WeakReference;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.galerna.collectives.algorithm.Algorithm;
import org.galerna.collectives.algorithm.Allgather;
import org.galerna.collectives.algorithm.Allreduce;
import org.galerna.collectives.algorithm.Alltoall;
import org.galerna.collectives.algorithm.Barrier;
import org.galerna.collectives.algorithm.Broadcast;
import org.galerna.collectives.algorithm.Gather;
import org.galerna.collectives.algorithm.Operation;
import org.galerna.collectives.algorithm.Reduce;
import org.galerna.collectives.algorithm.ReduceScatter;
import org.galerna.collectives.algorithm.Scan;
import org.galerna.collectives.algorithm.Scatter;
import org.galerna.collectives.selection.Choice;
import org.galerna.collectives.selection.DecisionTable;
import org.galerna.collectives.team.Team;
import org.galerna.collectives.team.TeamShape;

/** The algorithms that a team chooses among, for each operation. Teams of one shape have one object in the whole process. */
final class Algorithms {
    private static final Map<Key, WeakReference<Algorithms>> KNOWN = new HashMap<>(); // guarded by itself

    /** What the choices depend on. */
    private record Key(Map<Operation, String> forced, DecisionTable table, String device, TeamShape shape) {
        // by code of their own: what the JDK makes for a record is made anew in each start
        @Override
        public boolean equals(Object other) {
            return other instanceof Key key
                    && forced.equals(key.forced)
                    && table.equals(key.table)
                    && device.equals(key.device)
                    && shape.equals(key.shape);
        }

        @Override
        public int hashCode() {
            return ((forced.hashCode() * 31 + table.hashCode()) * 31 + device.hashCode()) * 31 + shape.hashCode();
        }
    }

    private final Map<Operation, Choice<? extends Algorithm>> choices = new EnumMap<>(Operation.class);
    final Choice<Barrier> barriers;
    final Choice<Broadcast> broadcasts;
    final Choice<Gather> gathers;
    final Choice<Gather> varyingGathers;
    final Choice<Scatter> scatters;
    final Choice<Scatter> varyingScatters;
    final Choice<Allgather> allgathers;
    final Choice<Allgather> varyingAllgathers;
    final Choice<Alltoall> alltoalls;
    final Choice<Alltoall> varyingAlltoalls;
    final Choice<Reduce> reduces;
    final Choice<Allreduce> allreduces;
    final Choice<ReduceScatter> reduceScatters;
    final Choice<Scan> scans;
    final Choice<Scan> exclusiveScans;

    private Algorithms(Team team, CollectiveOptions options) {
        barriers = choice(Barrier.class, Operation.BARRIER, team, options);
        broadcasts = choice(Broadcast.class, Operation.BCAST, team, options);
        gathers = choice(Gather.class, Operation.GATHER, team, options);
        varyingGathers = choice(Gather.class, Operation.GATHERV, team, options);
        scatters = choice(Scatter.class, Operation.SCATTER, team, options);
        varyingScatters = choice(Scatter.class, Operation.SCATTERV, team, options);
        allgathers = choice(Allgather.class, Operation.ALLGATHER, team, options);
        varyingAllgathers = choice(Allgather.class, Operation.ALLGATHERV, team, options);
        alltoalls = choice(Alltoall.class, Operation.ALLTOALL, team, options);
        varyingAlltoalls = choice(Alltoall.class, Operation.ALLTOALLV, team, options);
        reduces = choice(Reduce.class, Operation.REDUCE, team, options);
        allreduces = choice(Allreduce.class, Operation.ALLREDUCE, team, options);
        reduceScatters = choice(ReduceScatter.class, Operation.REDUCE_SCATTER, team, options);
        scans = choice(Scan.class, Operation.SCAN, team, options);
        exclusiveScans = choice(Scan.class, Operation.EXSCAN, team, options);
    }

    /** Those of a team; all members must have the same options. */
    static Algorithms of(Team team, CollectiveOptions options) {
        Key key = new Key(options.forced(), options.table(), team.deviceInTables(), team.shape());
        synchronized (KNOWN) {
            WeakReference<Algorithms> known = KNOWN.get(key);
            Algorithms present = known == null ? null : known.get();
            if (present == null) {
                KNOWN.values().removeIf(each -> each.refersTo(null));
                present = new Algorithms(team, options);
                KNOWN.put(key, new WeakReference<>(present));
            }
            return present;
        }
    }

    private <A extends Algorithm> Choice<A> choice(
            Class<A> type, Operation operation, Team team, CollectiveOptions options) {
        Choice<A> choice = Choice.of(
                type, operation, options.forced().get(operation), options.table(), team.deviceInTables(), team.shape());
        choices.put(operation, choice);
        return choice;
    }

    /** Name of the algorithm that serves an operation of the given size. */
    String name(Operation operation, long bytes, boolean commutative) {
        return Objects.requireNonNull(choices.get(operation))
                .choose(bytes, commutative)
                .name();
    }
}
