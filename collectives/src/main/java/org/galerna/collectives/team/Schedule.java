package org.galerna.collectives.team;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.galerna.collectives.buffer.Copying;
import org.galerna.collectives.reduction.Reduction;
import org.galerna.device.Compound;
import org.galerna.device.Device;
import org.galerna.device.DeviceException;
import org.galerna.device.Request;
import org.galerna.link.Collective;
import org.jspecify.annotations.Nullable;

/**
 * The part of one rank in a collective as a list of steps, which a {@link RecordingTeam} has written down and any thread
 * of the rank takes when it makes progress. What an algorithm does depends on ranks and sizes and never on the data, so
 * that the steps of a blocking algorithm are those of a non-blocking one.
 *
 * <p>Hoefler, Lumsdaine, Rehm: "Implementation and performance analysis of non-blocking collective operations for MPI",
 * SC 2007, has such schedules, with rounds in place of single waits.
 *
 * <p>Recorded by one thread before it is started; then {@link Compound} says who calls what.
 */
final class Schedule implements Compound {
    private final Team team;
    private final String operation;
    private final String algorithm;
    private final long number;
    /** What it is called, as {@link Calls} has it. */
    private final int known;

    private final long bytes;
    private final int tag;
    private final List<Step> steps = new ArrayList<>();
    private final List<Started> started = new ArrayList<>();
    private @Nullable Request[] requests = new @Nullable Request[0];

    /** Written by one thread at a time; others look at it for reports. */
    private volatile int next;

    Schedule(Team team, String operation, String algorithm, long number, int known, long bytes, int tag) {
        this.team = team;
        this.operation = operation;
        this.number = number;
        this.known = known;
        this.bytes = bytes;
        this.algorithm = algorithm;
        this.tag = tag;
    }

    private sealed interface Step {}

    /** A send, or a receive whose length is checked; {@code index} is its place among those that are started. */
    private record Started(int index, boolean receive, Object buffer, long offset, long length, int peer)
            implements Step {}

    private record Await(Started what) implements Step {}

    private record CopyRuns(
            Object source,
            long sourceOffset,
            long sourceStep,
            Object target,
            long targetOffset,
            long targetStep,
            long length,
            int count)
            implements Step {
        void copy() {
            Copying.copyRuns(source, sourceOffset, sourceStep, target, targetOffset, targetStep, length, count);
        }
    }

    private record Combine(Reduction reduction, Object in, long inOffset, Object inOut, long inOutOffset, int count)
            implements Step {}

    /** Adds a send; the place to await it by. */
    int send(Object buffer, long offset, long length, int destination) {
        return add(new Started(started.size(), false, buffer, offset, length, destination));
    }

    /** Adds a receive; the place to await it by. */
    int receive(Object buffer, long offset, long length, int source) {
        return add(new Started(started.size(), true, buffer, offset, length, source));
    }

    private int add(Started start) {
        steps.add(start);
        started.add(start);
        return start.index;
    }

    /** Adds that nothing goes on before this send or receive is done. */
    void await(int index) {
        steps.add(new Await(started.get(index)));
    }

    void copyRuns(
            Object source,
            long sourceOffset,
            long sourceStep,
            Object target,
            long targetOffset,
            long targetStep,
            long length,
            int count) {
        if (length > 0 && count > 0) {
            steps.add(new CopyRuns(source, sourceOffset, sourceStep, target, targetOffset, targetStep, length, count));
        }
    }

    void combine(Reduction reduction, Object in, long inOffset, Object inOut, long inOutOffset, int count) {
        steps.add(new Combine(reduction, in, inOffset, inOut, inOutOffset, count));
    }

    @Override
    public boolean advance() {
        if (requests.length < started.size()) {
            requests = new @Nullable Request[started.size()];
        }
        int first = next;
        int step = first;
        try {
            while (step < steps.size() && take(steps.get(step))) {
                step++;
                next = step;
            }
        } catch (RuntimeException | Error failure) {
            withdraw();
            throw failure;
        }
        return step > first;
    }

    private boolean take(Step step) {
        switch (step) {
            case Started start -> start(start);
            case Await await -> {
                return isDone(await.what);
            }
            case CopyRuns runs -> runs.copy();
            case Combine combine ->
                combine.reduction.apply(
                        combine.in, combine.inOffset, combine.inOut, combine.inOutOffset, combine.count);
        }
        return true;
    }

    private void start(Started start) {
        Device device = team.device();
        int peer = team.deviceRank(start.peer);
        try {
            requests[start.index] = start.receive
                    ? device.irecv(start.buffer, start.offset, start.length, peer, tag, team.context())
                    : device.isend(start.buffer, start.offset, start.length, peer, tag, team.context());
        } catch (DeviceException failure) {
            throw failed(failure, start);
        }
    }

    private boolean isDone(Started start) {
        Request request = Objects.requireNonNull(requests[start.index]);
        if (!request.isDone()) {
            request.failIfInVain();
            if (!request.isDone()) {
                return false;
            }
        }
        try {
            request.throwFailure();
            if (start.receive && request.length() != start.length) {
                throw team.failures().wrongLength(start.peer, request.length(), team.rank(), start.length, name());
            }
        } catch (DeviceException failure) {
            throw failed(failure, start);
        }
        requests[start.index] = null;
        request.release();
        return true;
    }

    /**
     * After a failure, whether of the device or of the caller's operator: receives that no message has met are taken back,
     * or a message of a later collective would find them, and be written to a buffer that its owner has back.
     */
    private void withdraw() {
        for (int index = 0; index < requests.length; index++) {
            Request request = requests[index];
            requests[index] = null;
            if (request != null && (request.isDone() || request.cancel())) {
                request.release();
            }
        }
    }

    private DeviceException failed(DeviceException failure, Started start) {
        return team.failures()
                .explain(
                        failure,
                        name(),
                        algorithm,
                        collective(),
                        start.receive ? start.length : Team.ANY_LENGTH,
                        start.peer);
    }

    @Override
    public boolean isOver() {
        return next == steps.size();
    }

    @Override
    public String operation() {
        Started start = awaited();
        return start == null
                ? collective().describe()
                : collective().describe() + ", " + (start.receive ? "receiving from" : "sending to") + " rank "
                        + start.peer;
    }

    @Override
    public Collective collective() {
        return team.history().started(team.calls(), number, known, bytes);
    }

    private String name() {
        return CallHistory.nonblocking(operation);
    }

    @Override
    public int awaitedPeer() {
        Started start = awaited();
        return start == null ? Device.ANY_SOURCE : team.deviceRank(start.peer);
    }

    private @Nullable Started awaited() {
        int step = next;
        return step < steps.size() && steps.get(step) instanceof Await await ? await.what : null;
    }
}
