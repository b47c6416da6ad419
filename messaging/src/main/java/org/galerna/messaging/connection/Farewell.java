package org.galerna.messaging.connection;

import org.galerna.messaging.serialization.MalformedMessageException;
import org.galerna.messaging.wire.Frames;

/**
 * How the two sides of a connection agree to end it, when one has more connections than it may have. Either side may say
 * goodbye, and waits for the answer: goodbye if the other one has nothing under way either, and otherwise stay, after which
 * both go on as before. So nobody ever waits for longer than the answer takes, which polling threads give and not handlers:
 * a receiver may send or ask back over a connection that one side would like to end.
 *
 * <p>Something is under way from a side as long as the other one has not handled everything that it has sent, or has not
 * answered everything that it has asked. A side closes its gate, looks, and says goodbye only if nothing is under way.
 * A side that has said and heard goodbye ends the connection.
 *
 * <p>Argument that nothing is lost. A goodbye is the last that its side sends, unless it hears stay, and everything before
 * it was handled. Frames keep their order. So a side that hears a goodbye has handled
 * everything of the other side, and gets nothing more. When it says goodbye itself, the same holds for the other side. A receiver that is at work has something in its
 * hands; then the other side does not say goodbye, so that this side stays open when it has heard stay.
 *
 * <p>Argument that nobody waits for ever. A goodbye that is heard is answered by the next poll that finds room, whatever
 * handlers do. When both say goodbye at once, each is the answer to the other. All interleavings of two sides are tried in
 * a test.
 *
 * <p>Any thread; the monitor keeps the gate and the state together.
 */
public final class Farewell {
    /** What this side does. */
    public interface Side {
        /** Lets nothing more be sent if nothing is under way; otherwise returns false, and nothing has changed. */
        boolean pause();

        /** Lets everything be sent again. */
        void resume();

        /** Says {@link Frames#GOODBYE} or {@link Frames#STAY}; false if there is no room at the moment. */
        boolean say(int kind);
    }

    private enum State {
        TALKING,
        SAID,
        OVER
    }

    private final Side side;

    // guarded by this
    private State state = State.TALKING;
    private boolean heard;
    private volatile boolean due; // read by anybody

    public Farewell(Side side) {
        this.side = side;
    }

    /** Whether a goodbye was heard that {@link #answer} is to answer. */
    public boolean isDue() {
        return due;
    }

    /** Whether this side has said goodbye, so that the connection does not count any more, unless the other one stays. */
    public synchronized boolean isLeaving() {
        return state != State.TALKING;
    }

    /** Says goodbye, if nothing is under way from this side. */
    public synchronized void propose() {
        if (state != State.TALKING || due || !side.pause()) {
            return;
        }
        if (side.say(Frames.GOODBYE)) {
            state = State.SAID;
        } else {
            side.resume();
        }
    }

    /** The other side has said goodbye. */
    public synchronized void hearGoodbye() {
        heard = true;
        due = true;
    }

    /** The other side does not want to end. */
    public synchronized void hearStay() {
        if (state != State.SAID) {
            throw new MalformedMessageException("it answers a goodbye that was not said");
        }
        state = State.TALKING;
        side.resume();
    }

    /** Answers what was heard. Returns whether the connection is over: both have said goodbye. */
    public synchronized boolean answer() {
        if (!due || state == State.OVER) {
            return false;
        }
        if (state == State.SAID) {
            due = false;
            state = State.OVER;
            return true;
        }
        if (!side.pause()) {
            if (side.say(Frames.STAY)) {
                due = false;
                heard = false;
            }
            return false;
        }
        if (!side.say(Frames.GOODBYE)) {
            side.resume();
            return false;
        }
        due = false;
        state = State.OVER;
        return true;
    }

    /** The connection ends, for whatever reason: the gate is not opened any more. Returns whether both have agreed. */
    public synchronized boolean end() {
        boolean agreed = heard && state != State.TALKING;
        state = State.OVER;
        due = false;
        heard = agreed; // the next call has the same answer
        return agreed;
    }

    @Override
    public synchronized String toString() {
        return state + (due ? ", to answer" : "");
    }
}
