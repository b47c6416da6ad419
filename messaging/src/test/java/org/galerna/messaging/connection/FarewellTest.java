package org.galerna.messaging.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.galerna.messaging.wire.Frames;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/**
 * Every interleaving of two sides that send, ask, answer, ask back from within receivers, and say goodbye at any moment. Both
 * ends are real; what they do to the rest of the connection is a model of it.
 */
class FarewellTest {
    private static final int MESSAGE = Frames.MESSAGE;
    private static final int REQUEST = Frames.REQUEST;
    private static final int RESPONSE = Frames.RESPONSE;
    private static final int CONFIRM = Frames.CONFIRM;

    /** How often each may be done by each side. */
    private record Limits(int messages, int requests, int callbacks, int goodbyes, int fullRings) {}

    /** One side, and the frames on their way to it. */
    private static final class End implements Farewell.Side {
        final Farewell farewell = new Farewell(this);
        final Deque<Integer> incoming = new ArrayDeque<>();
        final Deque<Integer> hands = new ArrayDeque<>(); // what its receivers are at
        End other;
        boolean open = true;
        boolean over;
        boolean full; // the ring to the other side, for goodbyes and answers
        int inDoubt;
        int pending;
        int messages;
        int requests;
        int callbacks;
        int goodbyes;
        int fullRings;

        @Override
        public boolean pause() {
            open = inDoubt > 0 || pending > 0;
            return !open;
        }

        @Override
        public void resume() {
            open = true;
        }

        @Override
        public boolean say(int kind) {
            if (full) {
                return false;
            }
            other.incoming.add(kind);
            return true;
        }

        void send(int kind) {
            if (kind != CONFIRM) {
                inDoubt++;
            }
            if (kind == REQUEST) {
                pending++;
            }
            other.incoming.add(kind);
        }

        void deliver() {
            int kind = incoming.remove();
            assertThat(over)
                    .as("something comes to a side that has ended: " + kind)
                    .isFalse();
            switch (kind) {
                case MESSAGE, REQUEST -> hands.add(kind);
                case RESPONSE -> {
                    pending--;
                    send(CONFIRM);
                }
                case CONFIRM -> inDoubt--;
                case Frames.GOODBYE -> farewell.hearGoodbye();
                case Frames.STAY -> farewell.hearStay();
                default -> throw new IllegalStateException("kind " + kind);
            }
        }

        void finish() {
            if (hands.remove() == REQUEST) {
                send(RESPONSE);
            }
            send(CONFIRM);
        }

        void answer() {
            if (farewell.answer()) {
                over = true;
                boolean agreed = farewell.end();
                assertThat(agreed).isTrue();
                assertThat(hands).as("what an ended side's receivers are at").isEmpty();
                assertThat(inDoubt + pending).as("what an ended side waits for").isZero();
            }
        }

        String state() {
            return farewell + "" + incoming + hands + open + over + full + inDoubt + "," + pending + "," + messages
                    + "," + requests + "," + callbacks + "," + goodbyes + "," + fullRings;
        }
    }

    private static final int ACTIONS = 9;

    private Limits limits;
    private final Set<String> seen = new HashSet<>();
    private int ended;

    /** Does something, if it is possible at the moment. */
    private boolean act(End end, int action) {
        boolean idle = !end.over;
        return switch (action) {
            case 0 -> when(!end.incoming.isEmpty(), end::deliver);
            case 1 -> when(!end.hands.isEmpty(), end::finish);
            case 2 -> when(end.farewell.isDue(), end::answer);
            case 3 -> when(end.full, () -> end.full = false);
            case 4 ->
                when(idle && end.open && end.messages < limits.messages, () -> {
                    end.messages++;
                    end.send(MESSAGE);
                });
            case 5 ->
                when(idle && end.open && end.requests < limits.requests, () -> {
                    end.requests++;
                    end.send(REQUEST);
                });
            case 6 -> // a receiver asks back
                when(idle && end.open && !end.hands.isEmpty() && end.callbacks < limits.callbacks, () -> {
                    end.callbacks++;
                    end.send(REQUEST);
                });
            case 7 ->
                when(idle && !end.farewell.isLeaving() && end.goodbyes < limits.goodbyes, () -> {
                    end.goodbyes++;
                    end.farewell.propose();
                });
            case 8 ->
                when(idle && !end.full && end.fullRings < limits.fullRings, () -> {
                    end.fullRings++;
                    end.full = true;
                });
            default -> throw new IllegalStateException();
        };
    }

    /** Of those that go on by themselves. */
    private static final int FORCED = 4;

    private static boolean when(boolean possible, Executable work) {
        if (possible) {
            try {
                work.execute();
            } catch (RuntimeException | Error thrown) {
                throw thrown;
            } catch (Throwable impossible) {
                throw new IllegalStateException(impossible);
            }
        }
        return possible;
    }

    private static End[] start() {
        End[] ends = {new End(), new End()};
        ends[0].other = ends[1];
        ends[1].other = ends[0];
        return ends;
    }

    private End[] replay(List<Integer> path) {
        End[] ends = start();
        for (int step : path) {
            assertThat(act(ends[step / ACTIONS], step % ACTIONS)).isTrue();
        }
        return ends;
    }

    private void explore(List<Integer> path) {
        boolean goesOn = false;
        for (int step = 0; step < 2 * ACTIONS; step++) {
            End[] ends = replay(path);
            boolean acts;
            try {
                acts = act(ends[step / ACTIONS], step % ACTIONS);
            } catch (RuntimeException | AssertionError wrong) {
                throw new AssertionError("after " + path + " and " + step + ": " + wrong.getMessage(), wrong);
            }
            if (!acts) {
                continue;
            }
            goesOn |= step % ACTIONS < FORCED;
            if (seen.add(ends[0].state() + "|" + ends[1].state())) {
                path.add(step);
                explore(path);
                path.removeLast();
            }
        }
        if (!goesOn) {
            checkRest(path);
        }
    }

    /** Nothing moves by itself any more. */
    private void checkRest(List<Integer> path) {
        End[] ends = replay(path);
        String what = "after " + path + ": " + ends[0].state() + " and " + ends[1].state();
        assertThat(ends[0].over).as(what).isEqualTo(ends[1].over);
        for (End each : ends) {
            assertThat(each.inDoubt + each.pending + each.hands.size()).as(what).isZero();
            assertThat(each.over || each.open).as(what).isTrue();
        }
        ended += ends[0].over ? 1 : 0;
    }

    private int states(Limits most) {
        limits = most;
        seen.clear();
        ended = 0;
        explore(new ArrayList<>());
        assertThat(ended).as("ways to end").isPositive();
        return seen.size();
    }

    @Test
    void nothingIsLostAndNobodyWaitsForEverHoweverGoodbyesCross() {
        assertThat(states(new Limits(1, 0, 0, 2, 0))).isGreaterThan(100);
        assertThat(states(new Limits(0, 1, 1, 1, 0))).isGreaterThan(100);
        assertThat(states(new Limits(0, 0, 0, 2, 1))).isGreaterThan(50);
    }

    @Tag("slow")
    @Test
    void norWhenReceiversAskBackAndRingsAreFull() {
        assertThat(states(new Limits(1, 0, 1, 1, 1))).isGreaterThan(500);
        assertThat(states(new Limits(1, 1, 0, 2, 0))).isGreaterThan(500);
    }
}
