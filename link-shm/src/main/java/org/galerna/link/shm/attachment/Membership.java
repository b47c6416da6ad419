package org.galerna.link.shm.attachment;

import static org.galerna.link.shm.file.ControlPageLayout.ABSENT;
import static org.galerna.link.shm.file.ControlPageLayout.ATTACHED;
import static org.galerna.link.shm.file.ControlPageLayout.CORRUPT;
import static org.galerna.link.shm.file.ControlPageLayout.ENDED;
import static org.galerna.link.shm.file.ControlPageLayout.STOPPED;

import java.lang.System.Logger;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.galerna.link.FrameHandler;
import org.galerna.link.Wireup;
import org.galerna.link.process.OwnLog;
import org.galerna.link.process.PeerTimeout;
import org.galerna.link.process.Silence;
import org.galerna.link.shm.board.ControlPage;
import org.galerna.link.shm.board.FutexEvent;
import org.galerna.link.shm.board.ShmFence;
import org.galerna.link.wireup.Host;
import org.jspecify.annotations.Nullable;

/**
 * What one rank sees of the life of the others on its host, and how it tells them of news. A process that lives holds the lock on its byte of the board,
 * which the system gives back however it dies, and which no other process can seem to hold. One that is stopped, or gets no
 * processor, holds its lock too, so that it is waited for. Its heartbeat stands still, and after a while one rank says so.
 *
 * <p>One rank that finds out is enough, since all read its news on the board. So each looks all the time at the next one alone, in a circle of
 * those that are there, and at all others by and by: a look costs as much on a host with many ranks as on one with few.
 *
 * <p>That time is counted in looks: after this process itself was stopped, or the whole machine was, the others have as long
 * as ever to show themselves.
 */
public final class Membership {
    /** Time between two looks, in milliseconds. */
    public static final long LOOK_MILLIS = 100;

    /** A heartbeat that no rank has. */
    private static final long UNKNOWN = -1;

    /** However impatient: a process that works does not come to show that it lives at every look. */
    private static final int LEAST_LOOKS = 10;

    /** Looks in which all others have had their turn: where the one that should look at a rank is stopped, or ends at the same time. */
    private static final int LOOKS_AT_ALL = 10;

    private static final Logger LOGGER = OwnLog.of("org.galerna.link.shm");

    private final Wireup wireup;
    private final ControlPage board;
    private final Attachment attachment;
    private final int rank;
    private final int patience;
    private final long[] heartbeats;
    private int turn;
    private int next;
    /** Looks for which the next one has been quiet. */
    private int quiet;

    public Membership(Wireup wireup, Attachment attachment, int patience) {
        this.board = attachment.board();
        this.attachment = attachment;
        this.wireup = wireup;
        this.rank = wireup.rank();
        this.patience = patience;
        this.heartbeats = new long[board.ranks()];
        Arrays.fill(heartbeats, UNKNOWN);
        this.next = rank;
        this.turn = rank;
    }

    /** Looks without a sign of life after which one rank says so, from {@link PeerTimeout}; a second's at least. */
    public static int patience() {
        return Math.max(LEAST_LOOKS, (int) (TimeUnit.NANOSECONDS.toMillis(PeerTimeout.nanos()) / LOOK_MILLIS));
    }

    public int rank() {
        return rank;
    }

    /** What wakes a rank. */
    public FutexEvent bell(int peer) {
        return board.bell(peer, ShmFence.INSTANCE);
    }

    /** Tells a peer that this rank has opened something to it. */
    public void announce(int peer) {
        board.announce(rank, peer);
        raise(peer);
    }

    /** Has a peer look at what has changed. */
    public void raise(int peer) {
        board.raise(peer);
        bell(peer).ring();
    }

    private void raiseAll() {
        for (int peer = 0; peer < board.ranks(); peer++) {
            if (board.state(peer) == ATTACHED) {
                raise(peer);
            }
        }
    }

    /** Gives a peer up that has written what nobody should. */
    public void distrust(int peer) {
        if (board.changeState(peer, ATTACHED, CORRUPT)) {
            raiseAll();
        }
    }

    /** Gives all peers up: one of them has written what nobody should, and nobody knows which. */
    public void distrustAll() {
        boolean changed = false;
        for (int peer = 0; peer < board.ranks(); peer++) {
            changed |= peer != rank && board.changeState(peer, ATTACHED, CORRUPT);
        }
        if (changed) {
            raiseAll();
            raise(rank);
        }
    }

    /** Why a peer is gone; null if it is there, or has never been. */
    @Nullable
    public String goneBecause(int peer) {
        return switch (board.state(peer)) {
            case ABSENT, ATTACHED -> null;
            case STOPPED -> FrameHandler.LEFT;
            case ENDED -> "its process has ended";
            default -> "it has written what no rank of this version writes into shared memory";
        };
    }

    /** Whether what a peer that is gone has left can be read. */
    public boolean hasLeftReadable(int peer) {
        int state = board.state(peer);
        return state == STOPPED || state == ENDED;
    }

    /** Whether a rank writes nothing any more: it has left, or its process has ended. */
    public boolean isSilent(int peer) {
        return hasLeftReadable(peer) || (goneBecause(peer) != null && !attachment.isAlive(peer));
    }

    /** Whether a rank's process has ended before it left. */
    public boolean hasDied(int peer) {
        return board.state(peer) == ENDED;
    }

    /** This rank leaves in order. */
    public void stop() {
        if (board.changeState(rank, ATTACHED, STOPPED)) {
            raiseAll();
        }
    }

    /** Shows that this rank lives, and looks whether the others do. By the watching thread. */
    public void look() {
        if (findsLoss()) {
            raiseAll();
        }
    }

    private boolean findsLoss() {
        board.beat(rank);
        boolean found = findsNextLost();
        for (int each = 0; each < Math.ceilDiv(board.ranks(), LOOKS_AT_ALL); each++) {
            turn = after(turn);
            if (turn != rank && turn != next && board.state(turn) == ATTACHED) {
                found |= !shows(turn) && isLost(turn);
            }
        }
        return found;
    }

    private boolean findsNextLost() {
        int found = nextPresent();
        if (found != next) {
            next = found;
            quiet = 0;
        }
        if (next == rank) {
            return false;
        }
        if (shows(next)) {
            quiet = 0;
            return false;
        }
        if (isLost(next)) {
            return true;
        }
        if (++quiet == patience) {
            long nanos = TimeUnit.MILLISECONDS.toNanos(patience * LOOK_MILLIS);
            Silence.report(LOGGER, wireup, next, Host.here().name(), nanos);
        }
        return false;
    }

    /** The next rank that is there; this one if no other is. */
    private int nextPresent() {
        int peer = after(rank);
        while (peer != rank && board.state(peer) != ATTACHED) {
            peer = after(peer);
        }
        return peer;
    }

    private int after(int peer) {
        return peer + 1 < board.ranks() ? peer + 1 : 0;
    }

    /** Whether a peer has shown since the last look that it lives, or has not been looked at before. */
    private boolean shows(int peer) {
        long heartbeat = board.heartbeat(peer);
        boolean changed = heartbeat != heartbeats[peer];
        heartbeats[peer] = heartbeat;
        return changed;
    }

    /** Whether the process of a peer has ended, which nobody has found before. */
    private boolean isLost(int peer) {
        return !attachment.isAlive(peer) && board.changeState(peer, ATTACHED, ENDED);
    }
}
