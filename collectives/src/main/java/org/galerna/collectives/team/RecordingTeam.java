package org.galerna.collectives.team;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import org.galerna.collectives.reduction.Reduction;
import org.galerna.device.Compound;
import org.jspecify.annotations.Nullable;

/**
 * A team that runs no collective but writes down what this rank would do in it. Between {@link #record} and
 * {@link #finish} one collective is called, whose messages then have a tag of their own, so that any number of them can
 * be under way. Its algorithms are those that need nothing but messages.
 *
 * <p>As of a {@link Team}, one thread at a time uses it, and all members start the same collectives in the same order;
 * later parts of theirs may be recorded in any order, under numbers that were reserved at the start.
 */
public final class RecordingTeam extends Team {
    private long recorded;
    private @Nullable Schedule schedule;
    private ScratchPool scratch = new ScratchPool();

    /** Places of what was started and not yet awaited. */
    private final Deque<Integer> pending = new ArrayDeque<>();

    /** Records collectives of the given team. */
    public RecordingTeam(Team team) {
        super(team);
    }

    /** A number for a collective; all members reserve the same ones in the same order. */
    public long reserve() {
        return calls().start();
    }

    /**
     * Starts to record a collective.
     *
     * @param number a {@linkplain #reserve reserved} one, used once
     */
    public void record(long number) {
        recorded = number;
        schedule = null;
        scratch = new ScratchPool(); // what was recorded before may still run
        pending.clear();
    }

    /** What was recorded; null if there is nothing to do. */
    public @Nullable Compound finish() {
        Schedule finished = schedule;
        schedule = null;
        return finished == null || finished.isOver() ? null : finished;
    }

    private Schedule schedule() {
        return Objects.requireNonNull(schedule, "no collective has begun");
    }

    @Override
    public void begin(String operation, Named algorithm, int number, int root, long bytes) {
        int known = CallTag.blocking(number, root);
        calls().name(recorded, known, bytes);
        schedule = new Schedule(
                this, operation, algorithm.name(), recorded, known, bytes, CallTag.started(number, recorded));
    }

    @Override
    public void end() {
        // the schedule says when it is over
    }

    @Override
    public void send(Object buffer, long offset, long length, int destination) {
        schedule().await(schedule().send(buffer, offset, length, destination));
    }

    @Override
    public void receive(Object buffer, long offset, long length, int source) {
        schedule().await(schedule().receive(buffer, offset, length, source));
    }

    @Override
    public void startSend(Object buffer, long offset, long length, int destination) {
        pending.add(schedule().send(buffer, offset, length, destination));
    }

    @Override
    public void startReceive(Object buffer, long offset, long length, int source) {
        pending.add(schedule().receive(buffer, offset, length, source));
    }

    @Override
    public void awaitFirst() {
        schedule().await(pending.remove());
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
        schedule().copyRuns(source, sourceOffset, sourceStep, target, targetOffset, targetStep, length, count);
    }

    @Override
    public Object scratch(long length) {
        return scratch.bytes(length);
    }

    @Override
    public Object scratch(Reduction reduction, int count) {
        return scratch.elements(reduction, count);
    }

    @Override
    public Reduction combining(Reduction reduction) {
        return new RecordedReduction(reduction, schedule());
    }

    private record RecordedReduction(Reduction recorded, Schedule schedule) implements Reduction {
        @Override
        public void apply(Object in, long inOffset, Object inOut, long inOutOffset, int count) {
            schedule.combine(recorded, in, inOffset, inOut, inOutOffset, count);
        }

        @Override
        public int elementSize() {
            return recorded.elementSize();
        }

        @Override
        public boolean commutative() {
            return recorded.commutative();
        }

        @Override
        public Object allocate(int count) {
            return recorded.allocate(count);
        }

        @Override
        public Class<?> memoryType() {
            return recorded.memoryType();
        }
    }
}
