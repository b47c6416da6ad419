package org.galerna.link.shm;

import java.util.BitSet;

/**
 * What one rank sees of the life of the others on its host. A process that lives holds the lock on its byte of the board,
 * which the system gives back however it dies, and which no other process can seem to hold. One that lives and is stopped
 * holds its lock too, but its heartbeat stands still.
 *
 * <p>Patience is counted in looks and not in time: after this process itself was stopped, or the whole machine was, the
 * others have as long as ever to show themselves.
 */
final class PeerWatch {
    private final Board board;
    private final Attachment attachment;
    private final int rank;
    private final int patience;
    private final long[] heartbeats;
    private final int[] quiet;
    private final BitSet known = new BitSet();

    PeerWatch(Attachment attachment, int rank, int patience) {
        this.board = attachment.board();
        this.attachment = attachment;
        this.rank = rank;
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
        int state = !attachment.isAlive(peer) ? BoardLayout.ENDED : quiet[peer] > patience ? BoardLayout.SILENT : 0;
        return state != 0 && board.changeState(peer, BoardLayout.ATTACHED, state);
    }
}
