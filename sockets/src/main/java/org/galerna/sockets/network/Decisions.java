package org.galerna.sockets.network;

/**
 * What this end has decided about a pipe and the other end does not know yet. Any thread decides; one thread at a time
 * tells. Each is lowered only after it was sent, and is raised once in the life of a pipe.
 */
final class Decisions {
    private volatile boolean agrees;
    private volatile boolean withdraws;
    private volatile boolean knowsTurn;

    /** To the offer of the other end. */
    void agree() {
        agrees = true;
    }

    /** The offer of this end. */
    void withdraw() {
        withdraws = true;
    }

    /** It has learnt where the other end turns to the pipe. */
    void knowTurn() {
        knowsTurn = true;
    }

    /** Whether the other end is still to be told that the offer is taken back. */
    boolean withdraws() {
        return withdraws;
    }

    /**
     * Tells the other end.
     *
     * @param ringBytes room at this end
     * @return false if the link does not take any more at present
     */
    boolean tell(LinkWriter writer, int id, int ringBytes) {
        if (agrees) {
            if (!writer.send(LinkMessage.ACCEPT, id, ringBytes)) {
                return false;
            }
            agrees = false;
        }
        if (withdraws) {
            if (!writer.send(LinkMessage.WITHDRAW, id, 0)) {
                return false;
            }
            withdraws = false;
        }
        if (knowsTurn) {
            if (!writer.send(LinkMessage.TURN_KNOWN, id, 0)) {
                return false;
            }
            knowsTurn = false;
        }
        return true;
    }
}
