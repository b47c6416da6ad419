package org.galerna.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * All that can happen when sends are cancelled: what {@link Matching} does with the frames of {@link FrameLayout}, as a model
 * whose states are all visited. A rank sends two messages, and may cancel each; the other one receives and probes at any
 * moment, or never. Its process looks at what comes, whatever the rank does.
 */
class CancelModelTest {
    private static final int MESSAGES = 2;

    /** What became of a send. */
    private enum End {
        PENDING,
        DONE,
        CANCELLED
    }

    /** A send as its sender knows it. */
    private record Send(int id, boolean announced, boolean asked, End end) {}

    private enum Kind {
        MESSAGE,
        CANCEL,
        BYTES,
        DONE,
        CANCELLED,
        GET
    }

    /** A frame: a message has its number, an answer has the number of a send. */
    private record Frame(Kind kind, int number, int id) {}

    /** A message that no receive has matched. */
    private record Unexpected(int number, int id, boolean waits, boolean probed, boolean fetched, boolean there) {}

    private record State(
            List<Send> sends,
            List<Frame> toReceiver,
            List<Frame> toSender,
            List<Unexpected> unexpected,
            int posted,
            List<Integer> matched,
            Set<Integer> received,
            Set<Integer> seen) {
        static State first() {
            return new State(List.of(), List.of(), List.of(), List.of(), 0, List.of(), Set.of(), Set.of());
        }

        State send(UnaryOperator<List<Send>> change) {
            return new State(change.apply(sends), toReceiver, toSender, unexpected, posted, matched, received, seen);
        }

        State out(Frame frame) {
            return new State(sends, plus(toReceiver, frame), toSender, unexpected, posted, matched, received, seen);
        }

        State back(Frame frame) {
            return new State(sends, toReceiver, plus(toSender, frame), unexpected, posted, matched, received, seen);
        }

        State queue(List<Unexpected> changed) {
            return new State(sends, toReceiver, toSender, changed, posted, matched, received, seen);
        }

        State post(int receives) {
            return new State(sends, toReceiver, toSender, unexpected, receives, matched, received, seen);
        }

        State match(int number) {
            return new State(
                    sends,
                    toReceiver,
                    toSender,
                    unexpected,
                    posted,
                    plus(matched, number),
                    received,
                    with(seen, number));
        }

        State see(int number) {
            return new State(sends, toReceiver, toSender, unexpected, posted, matched, received, with(seen, number));
        }

        State receive(int number) {
            assertThat(received).as("received twice").doesNotContain(number);
            return new State(sends, toReceiver, toSender, unexpected, posted, matched, with(received, number), seen);
        }
    }

    private static <T> List<T> plus(List<T> list, T added) {
        List<T> all = new ArrayList<>(list);
        all.add(added);
        return List.copyOf(all);
    }

    private static <T> Set<T> with(Set<T> set, T added) {
        Set<T> all = new HashSet<>(set);
        all.add(added);
        return Set.copyOf(all);
    }

    private static <T> List<T> replaced(List<T> list, int index, T by) {
        List<T> all = new ArrayList<>(list);
        all.set(index, by);
        return List.copyOf(all);
    }

    private static <T> List<T> without(List<T> list, int index) {
        List<T> all = new ArrayList<>(list);
        all.remove(index);
        return List.copyOf(all);
    }

    @Test
    void eachSendIsReceivedOrCancelledAndEndsWhateverItsReceiverDoes() {
        Set<State> known = new HashSet<>();
        Deque<State> open = new ArrayDeque<>();
        open.add(State.first());
        known.add(State.first());
        int resting = 0;
        while (!open.isEmpty()) {
            State state = open.remove();
            List<State> byItself = byItself(state);
            if (byItself.isEmpty()) {
                check(state);
                resting++;
            }
            List<State> next = new ArrayList<>(byItself);
            next.addAll(byPrograms(state));
            for (State each : next) {
                if (known.add(each)) {
                    open.add(each);
                }
            }
        }
        assertThat(known).hasSizeGreaterThan(500);
        assertThat(resting).isGreaterThan(20);
    }

    /** Nothing is on its way any more, and the receiver makes no call. */
    private static void check(State state) {
        for (int number = 0; number < state.sends.size(); number++) {
            int message = number;
            Send send = state.sends.get(number);
            boolean there = state.unexpected.stream().anyMatch(each -> each.number == message);
            boolean received = state.received.contains(number);
            if (send.end == End.CANCELLED) {
                assertThat(there || received || state.seen.contains(number))
                        .as("%s in %s", number, state)
                        .isFalse();
            } else {
                assertThat(there != received).as("%s in %s", number, state).isTrue();
            }
            assertThat(send.asked && send.end == End.PENDING)
                    .as("%s in %s", number, state)
                    .isFalse();
        }
        assertThat(state.matched).as("order").isSorted();
    }

    // ---- what the programs may do

    private static List<State> byPrograms(State state) {
        List<State> next = new ArrayList<>();
        if (state.sends.size() < MESSAGES) {
            for (boolean announced : new boolean[] {false, true}) {
                int number = state.sends.size();
                int id = 0;
                while (isUsed(state, id)) {
                    id++;
                }
                Send send = new Send(id, announced, false, End.PENDING);
                next.add(state.send(sends -> plus(sends, send)).out(new Frame(Kind.MESSAGE, number, id)));
            }
        }
        for (int number = 0; number < state.sends.size(); number++) {
            int message = number;
            Send send = state.sends.get(number);
            if (send.end == End.PENDING && !send.asked) {
                Send asked = new Send(send.id, send.announced, true, send.end);
                next.add(state.send(sends -> replaced(sends, message, asked)).out(new Frame(Kind.CANCEL, -1, send.id)));
            }
        }
        if (state.posted + state.matched.size() < MESSAGES) {
            next.add(state.unexpected.isEmpty() ? state.post(state.posted + 1) : take(state));
        }
        if (!state.unexpected.isEmpty()) {
            Unexpected found = state.unexpected.getFirst();
            Unexpected probed = new Unexpected(found.number, found.id, found.waits, true, found.fetched, found.there);
            next.add(state.queue(replaced(state.unexpected, 0, probed)).see(found.number));
        }
        return next;
    }

    private static boolean isUsed(State state, int id) {
        return state.sends.stream().anyMatch(send -> send.id == id && send.end == End.PENDING);
    }

    /** A receive takes the oldest message that is there. */
    private static State take(State state) {
        Unexpected message = state.unexpected.getFirst();
        State next = state.queue(without(state.unexpected, 0)).match(message.number);
        if (message.there) {
            next = next.receive(message.number);
            return message.waits ? next.back(new Frame(Kind.DONE, -1, message.id)) : next;
        }
        return message.fetched ? next : next.back(new Frame(Kind.GET, message.number, message.id));
    }

    // ---- what the processes do by themselves

    private static List<State> byItself(State state) {
        List<State> next = new ArrayList<>();
        if (!state.toReceiver.isEmpty()) {
            Frame frame = state.toReceiver.getFirst();
            State rest = new State(
                    state.sends,
                    without(state.toReceiver, 0),
                    state.toSender,
                    state.unexpected,
                    state.posted,
                    state.matched,
                    state.received,
                    state.seen);
            next.add(atReceiver(rest, frame));
        }
        if (!state.toSender.isEmpty()) {
            Frame frame = state.toSender.getFirst();
            State rest = new State(
                    state.sends,
                    state.toReceiver,
                    without(state.toSender, 0),
                    state.unexpected,
                    state.posted,
                    state.matched,
                    state.received,
                    state.seen);
            next.add(atSender(rest, frame));
        }
        return next;
    }

    private static State atReceiver(State state, Frame frame) {
        return switch (frame.kind) {
            case MESSAGE -> {
                boolean announced = state.sends.get(frame.number).announced;
                State arrived = state.queue(plus(
                        state.unexpected,
                        new Unexpected(frame.number, frame.id, !announced, false, false, !announced)));
                yield state.posted > 0 ? take(arrived.post(state.posted - 1)) : arrived;
            }
            case CANCEL -> cancel(state, frame.id);
            default -> { // BYTES
                State done = state.back(new Frame(Kind.DONE, -1, frame.id));
                for (int index = 0; index < state.unexpected.size(); index++) {
                    Unexpected each = state.unexpected.get(index);
                    if (each.number == frame.number) {
                        Unexpected there = new Unexpected(each.number, each.id, false, each.probed, true, true);
                        yield done.queue(replaced(state.unexpected, index, there));
                    }
                }
                yield done.receive(frame.number);
            }
        };
    }

    private static State cancel(State state, int id) {
        for (int index = 0; index < state.unexpected.size(); index++) {
            Unexpected each = state.unexpected.get(index);
            boolean isIt = each.id == id && (each.waits || !each.there);
            if (isIt && !each.probed) {
                return state.queue(without(state.unexpected, index)).back(new Frame(Kind.CANCELLED, -1, id));
            }
            if (isIt && each.waits) {
                Unexpected kept = new Unexpected(each.number, each.id, false, true, false, true);
                return state.queue(replaced(state.unexpected, index, kept)).back(new Frame(Kind.DONE, -1, id));
            }
            if (isIt && !each.fetched) {
                Unexpected fetched = new Unexpected(each.number, each.id, false, true, true, false);
                return state.queue(replaced(state.unexpected, index, fetched))
                        .back(new Frame(Kind.GET, each.number, id));
            }
        }
        return state;
    }

    private static State atSender(State state, Frame frame) {
        if (frame.kind == Kind.GET) {
            assertThat(state.sends.get(frame.number).end)
                    .as("fetched from %s", state)
                    .isEqualTo(End.PENDING);
            return state.out(new Frame(Kind.BYTES, frame.number, frame.id));
        }
        for (int number = 0; number < state.sends.size(); number++) {
            int message = number;
            Send send = state.sends.get(number);
            if (send.id == frame.id && send.end == End.PENDING) {
                End end = frame.kind == Kind.DONE ? End.DONE : End.CANCELLED;
                Send ended = new Send(send.id, send.announced, send.asked, end);
                return state.send(sends -> replaced(sends, message, ended));
            }
        }
        throw new AssertionError("an answer that nobody waits for: " + frame + " in " + state);
    }
}
