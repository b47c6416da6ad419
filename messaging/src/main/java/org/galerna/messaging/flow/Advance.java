package org.galerna.messaging.flow;

/**
 * Which message of a connection may go beyond the window. What comes is confirmed when it has been handled, so that the
 * receiver holds no more than the window. A message that is longer than the window would never be complete that way. So one
 * message at a time has the advance: its pieces are confirmed when they come. It keeps the advance until its receiver
 * returns. The pieces of the next one are held meanwhile, as a part of the window, and are confirmed when that one gets the
 * advance. So the receiver holds at most the window and one message for each connection.
 *
 * <p>A receiver that asks or sends may wait for others who send a message in pieces to this node. So its message gives the
 * advance up before that ({@link AdvanceHolder#giveUpAdvance}), and the receiver holds one more message for each handler
 * that waits in this way.
 *
 * <p>The polling thread adds pieces, a handler ends the advance. Both do so with the monitor: either the polling thread
 * finds that the advance is free, or the handler finds the pieces that are held.
 */
public final class Advance {
    // guarded by this
    private boolean taken;
    private boolean ofCurrent; // by the message that is being put together
    private int held; // bytes of that message that are not confirmed

    /** Counts a piece that is not the last one of its message. Returns how many bytes to confirm now. */
    public synchronized int addPiece(int cost) {
        held += cost;
        return ofCurrent || !taken ? give() : 0;
    }

    private int give() {
        taken = true;
        ofCurrent = true;
        int bytes = held;
        held = 0;
        return bytes;
    }

    /** What is left to be done for a message that is complete: bytes to confirm, and whether it has the advance. */
    public record Rest(int bytes, boolean hasAdvance) {}

    /** Counts the last piece of a message. */
    public synchronized Rest complete(int cost) {
        Rest rest = new Rest(held + cost, ofCurrent);
        held = 0;
        ofCurrent = false;
        return rest;
    }

    /** The sender takes the pieces back. Returns how many bytes to confirm now. */
    public synchronized int abandon() {
        int bytes = held;
        held = 0;
        taken &= !ofCurrent;
        ofCurrent = false;
        return bytes;
    }

    /** A complete message that has the advance does not need it any more. Returns how many bytes to confirm now. */
    public synchronized int end() {
        taken = false;
        return held > 0 ? give() : 0;
    }
}
