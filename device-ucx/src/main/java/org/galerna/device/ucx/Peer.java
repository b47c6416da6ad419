package org.galerna.device.ucx;

import java.util.HashMap;
import java.util.Map;
import org.galerna.link.counters.PeerCounters;

/** What this rank knows of another one, or of itself as a peer. Guarded by the engine's lock. */
final class Peer {
    /** What a receiver keeps for a message beside its bytes. */
    private static final long OVERHEAD = 128;

    final int rank;

    final PeerCounters counters;
    private final long mostCredit;
    private long credit;
    private long owed;
    private int lastNumber;

    /** UCX's endpoint; 0 if there is none. */
    long endpoint;

    /** It has been talked to, or has talked. */
    boolean met;

    /** It receives no more. */
    boolean receivesNoMore;

    /** It is gone, in good order or not. */
    boolean gone;

    /** It has been told that this rank sends no more, and has not answered yet. */
    boolean owesAnswer;

    /** Sends to it that are not over, by number. */
    final Map<Integer, SendRequest> sends = new HashMap<>();

    Peer(int rank, long credit, PeerCounters counters) {
        this.rank = rank;
        this.counters = counters;
        this.mostCredit = credit;
        this.credit = credit;
    }

    /** Takes the credit for a message that is sent with its bytes; false if there is not so much. */
    boolean takeCredit(long bytes) {
        if (bytes + OVERHEAD > credit) {
            counters.stalled();
            return false;
        }
        credit -= bytes + OVERHEAD;
        return true;
    }

    void giveCredit(long amount) {
        credit += amount;
    }

    /** The credit of a message that is not sent after all. */
    void giveBack(long bytes) {
        credit += bytes + OVERHEAD;
    }

    /** A message of the peer has been received; what is to be told to it, or 0 if that may wait. */
    long owe(long bytes) {
        owed += bytes + OVERHEAD;
        if (4 * owed < mostCredit) {
            return 0;
        }
        long all = owed;
        owed = 0;
        return all;
    }

    /** Gives a send a number that no other pending send to this peer has. */
    int number(SendRequest send) {
        do {
            lastNumber = lastNumber + 1 & Integer.MAX_VALUE;
        } while (sends.containsKey(lastNumber));
        sends.put(lastNumber, send);
        return lastNumber;
    }

    boolean isReachable() {
        return !receivesNoMore && !gone;
    }
}
