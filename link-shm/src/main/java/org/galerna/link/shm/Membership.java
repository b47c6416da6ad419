package org.galerna.link.shm;

import java.lang.System.Logger;
import java.util.BitSet;
import java.util.concurrent.TimeUnit;
import org.galerna.link.Host;
import org.galerna.link.OwnLog;
import org.galerna.link.Silence;
import org.galerna.link.Wireup;

/**
 * What one rank sees of the life of the others on its host. A process that lives holds the lock on its byte of the board,
 * which the system gives back however it dies, and which no other process can seem to hold. One that is stopped, or gets no
 * processor, holds its lock too, so that it is waited for. Its heartbeat stands still, and after a while one rank says so:
 * the one before it, in a circle of those that are there.
 *
 * <p>That time is counted in looks: after this process itself was stopped, or the whole machine was, the others have as long
 * as ever to show themselves.
 */
final class Membership {
    private static final Logger LOGGER = OwnLog.of("org.galerna.link.shm");

    private final Wireup wireup;
    private final Board board;
    private final Attachment attachment;
    private final int rank;
    private final int patience;
    private final long[] heartbeats;
    private final int[] quiet;
    private final BitSet known = new BitSet();

    Membership(Wireup wireup, Attachment attachment, int patience) {
        this.board = attachment.board();
        this.attachment = attachment;
        this.wireup = wireup;
        this.rank = wireup.rank();
        this.patience = patience;
        this.heartbeats = new long[board.ranks()];
        this.quiet = new int[board.ranks()];
    }

    /** Shows that this rank lives, and looks whether the others do. True if one of them was found to be gone. */
    boolean look() {
        board.beat(rank);
        boolean found = false;
        for (int peer = 0; peer < board.ranks(); peer++) {
            if (peer != rank && board.state(peer) == BoardLayout.ATTACHED) {
                found |= look(peer);
            }
        }
        return found;
    }

    private boolean look(int peer) {
        long heartbeat = board.heartbeat(peer);
        if (heartbeat != heartbeats[peer] || !known.get(peer)) {
            known.set(peer);
            heartbeats[peer] = heartbeat;
            quiet[peer] = 0;
            return false;
        }
        quiet[peer]++;
        if (!attachment.isAlive(peer)) {
            return board.changeState(peer, BoardLayout.ATTACHED, BoardLayout.ENDED);
        }
        if (quiet[peer] == patience && precedes(peer)) {
            long nanos = TimeUnit.MILLISECONDS.toNanos(patience * Watch.LOOK_MILLIS);
            Silence.report(LOGGER, wireup, peer, Host.here().name(), nanos);
        }
        return false;
    }

    private boolean precedes(int peer) {
        int before = peer;
        do {
            before = Math.floorMod(before - 1, board.ranks());
        } while (before != rank && board.state(before) != BoardLayout.ATTACHED);
        return before == rank;
    }
}
