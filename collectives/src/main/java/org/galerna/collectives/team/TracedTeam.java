package org.galerna.collectives.team;

import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.function.IntUnaryOperator;
import org.galerna.collectives.reduction.Reduction;
import org.galerna.device.Device;
import org.galerna.device.RankList;
import org.galerna.device.SharedHeap;
import org.jspecify.annotations.Nullable;

/**
 * A team of a job that does not run. One rank calls an algorithm on it, and a {@link Trace} is told what the rank would do: no
 * message is sent, and no memory is touched. So the code of a collective can be followed for any rank of a job of any size.
 * It takes the algorithms that need nothing but messages.
 *
 * <p>Ranks may tell each other the lengths of blocks first, as numbers in a {@code long[]}. All blocks of the job have one length,
 * so that is what a rank is told.
 *
 * <p>Used by one thread. Buffers of callers can be any objects; of those that stand for different memory each is another one.
 */
public final class TracedTeam extends Team {
    /** Nothing may reach it. */
    private static final Device NO_DEVICE = (Device)
            Proxy.newProxyInstance(Device.class.getClassLoader(), new Class<?>[] {Device.class}, (_, method, _) -> {
                throw new IllegalStateException("a traced team has no device to " + method.getName());
            });

    private final Job job;
    private final Steps steps;
    private final TeamPlacement placement;

    /**
     * A job, as its ranks see it. Shared by the traces of all ranks, one after the other or at the same time.
     */
    public static final class Job {
        private final RankList ranks;
        private final IntUnaryOperator hostOf;
        private final IntUnaryOperator socketOf;
        private final TeamPlacement placement;

        /**
         * Ranks on hosts.
         *
         * @param size number of ranks
         * @param hostOf number of the host of a rank, from 0
         * @param socketOf number of the socket of a rank, from 0; different on different hosts
         */
        public Job(int size, IntUnaryOperator hostOf, IntUnaryOperator socketOf) {
            this.hostOf = hostOf;
            this.socketOf = socketOf;
            ranks = RankList.range(0, size);
            placement = TeamPlacement.of(ranks, hostOf, socketOf, IntUnaryOperator.identity());
        }

        /** What a choice of algorithms for the whole job depends on. */
        public TeamShape shape() {
            return placement.shape();
        }
    }

    /** What the parts of a team have in common: one list of steps, and one count of sends and receives. */
    private static final class Steps {
        final Trace trace;
        final long told;
        int started;

        Steps(Trace trace, long told) {
            this.trace = trace;
            this.told = told;
        }
    }

    private final Deque<Integer> pending = new ArrayDeque<>();

    /**
     * The whole job, as one rank sees it.
     *
     * @param trace is told what the rank does
     * @param told length of a block, for ranks that tell each other lengths; in bytes
     */
    public TracedTeam(Job job, int rank, Trace trace, long told) {
        super(NO_DEVICE, job.ranks, rank, 0, null);
        this.job = job;
        this.steps = new Steps(trace, told);
        this.placement = job.placement;
    }

    private TracedTeam(TracedTeam whole, int[] some, String name) {
        super(whole, some, name);
        this.job = whole.job;
        this.steps = whole.steps;
        this.placement = TeamPlacement.of(
                RankList.of(Arrays.stream(some).map(whole::deviceRank).toArray()),
                job.hostOf,
                job.socketOf,
                IntUnaryOperator.identity());
    }

    @Override
    @Nullable
    SharedHeap sharedHeap(RankList ranks) {
        return null;
    }

    @Override
    Team part(int[] some, String name) {
        return new TracedTeam(this, some, name);
    }

    @Override
    TeamPlacement placement() {
        return placement;
    }

    /** No line of a table is for this one alone. */
    @Override
    public String deviceInTables() {
        return "";
    }

    @Override
    public TeamShape shape() {
        return placement.shape();
    }

    @Override
    public void send(Object buffer, long offset, long length, int destination) {
        steps.trace.send(deviceRank(destination), length);
        steps.trace.await(steps.started++);
    }

    @Override
    public void receive(Object buffer, long offset, long length, int source) {
        startReceive(buffer, offset, length, source);
        steps.trace.await(pending.removeLast());
    }

    @Override
    public void startSend(Object buffer, long offset, long length, int destination) {
        steps.trace.send(deviceRank(destination), length);
        pending.add(steps.started++);
    }

    @Override
    public void startReceive(Object buffer, long offset, long length, int source) {
        if (buffer instanceof long[] lengths) {
            int first = Math.toIntExact(offset / Long.BYTES);
            int count = Math.toIntExact(length / Long.BYTES);
            Arrays.fill(lengths, first, first + count, steps.told);
            steps.trace.told(count);
        }
        steps.trace.receive(deviceRank(source), length);
        pending.add(steps.started++);
    }

    @Override
    public void awaitFirst() {
        steps.trace.await(pending.remove());
    }

    @Override
    public void awaitAll() {
        while (!pending.isEmpty()) {
            awaitFirst();
        }
    }

    @Override
    public void copyRuns(
            Object source,
            long sourceOffset,
            long sourceStep,
            Object target,
            long targetOffset,
            long targetStep,
            long length,
            int count) {
        if (length > 0 && count > 0) {
            steps.trace.copy(count * length);
        }
    }

    @Override
    public Object scratch(long length) {
        return new Memory();
    }

    @Override
    public Object scratch(Reduction reduction, int count) {
        return new Memory();
    }

    @Override
    public Reduction combining(Reduction reduction) {
        return new TracedReduction(reduction, steps.trace);
    }

    /** Stands for memory. */
    private static final class Memory {}

    private record TracedReduction(Reduction traced, Trace trace) implements Reduction {
        @Override
        public void apply(Object in, long inOffset, Object inOut, long inOutOffset, int count) {
            trace.combine((long) count * traced.elementSize());
        }

        @Override
        public int elementSize() {
            return traced.elementSize();
        }

        @Override
        public boolean commutative() {
            return traced.commutative();
        }

        @Override
        public Object allocate(int count) {
            return new Memory();
        }

        @Override
        public Class<?> memoryType() {
            return traced.memoryType();
        }
    }
}
