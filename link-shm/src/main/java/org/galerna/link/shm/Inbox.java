package org.galerna.link.shm;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Arrays;
import java.util.BitSet;
import org.galerna.link.FrameHandler;
import org.galerna.link.OwnLog;
import org.galerna.link.shm.attachment.Attachment;
import org.galerna.link.shm.attachment.Membership;
import org.galerna.link.shm.board.Board;
import org.galerna.link.shm.file.BoardLayout;
import org.galerna.link.shm.file.PairFile;
import org.galerna.link.support.RingFrames;
import org.galerna.nativeaccess.SystemCallException;

/** The rings that lead to this rank, and what it has noticed of its peers. Used by the polling thread alone. */
final class Inbox {
    private static final Logger LOGGER = OwnLog.of(Inbox.class.getName());

    /** Polls in a row that may leave transfers aside, since frames have come. */
    private static final int MOST_FRAMES_ONLY = 4;

    private final Membership membership;
    private final Attachment attachment;
    private final Board board;
    private final int rank;
    private final ShmRma transfers;
    private final int[] ringsOpened;
    private final BitSet lost = new BitSet();
    private Inbound[] inbound = {};
    private int eventsSeen;
    private int framesOnly; // polls in a row that had frames, and did not look at transfers

    Inbox(Attachment attachment, Membership membership, ShmRma transfers) {
        this.membership = membership;
        this.attachment = attachment;
        this.board = attachment.board();
        this.rank = membership.rank();
        this.transfers = transfers;
        this.ringsOpened = new int[board.ranks()];
    }

    /** Frames that lead here from one peer. */
    private static final class Inbound {
        final int peer;
        final PairFile file;
        final RingFrames frames;

        /** The peer has dismissed the channel; nothing is committed any more. */
        boolean ending;

        Inbound(int peer, PairFile file) {
            this.peer = peer;
            this.file = file;
            this.frames = new RingFrames(peer, file.first());
        }
    }

    int poll(FrameHandler handler, int limit) {
        // events first: a peer's last frames and its last ring were there before it left
        int events = board.events(rank);
        boolean news = events != eventsSeen;
        if (news) {
            eventsSeen = events;
            attend();
        }
        int handled = 0;
        for (Inbound each : inbound) {
            handled += poll(each, handler, limit);
        }
        if (handled == 0 || ++framesOnly == MOST_FRAMES_ONLY) {
            framesOnly = 0;
            transfers.progress(ShmRma.POLL_BUDGET);
            handled += transfers.report(handler);
        }
        return news ? handled + reportLosses(handler) : handled;
    }

    private int poll(Inbound from, FrameHandler handler, int limit) {
        int handled = from.frames.poll(handler, limit);
        if (from.frames.isCorrupt()) {
            drop(from);
            membership.distrust(from.peer);
        } else if (from.ending && from.frames.isEmpty()) {
            drop(from);
            from.file.discard();
        }
        return handled;
    }

    private void drop(Inbound from) {
        inbound = Arrays.stream(inbound).filter(each -> each != from).toArray(Inbound[]::new);
    }

    /** Opens what peers have opened to this rank, and notices which channels they have dismissed. */
    private void attend() {
        for (Inbound each : inbound) {
            each.ending = each.file.isClosed();
        }
        for (int word = 0; word < BoardLayout.words(board.ranks()); word++) {
            long bits = board.takeAnnounced(rank, word);
            for (; bits != 0; bits &= bits - 1) {
                int peer = word * Long.SIZE + Long.numberOfTrailingZeros(bits);
                if (peer < board.ranks()) {
                    open(peer);
                }
            }
        }
    }

    private void open(int peer) {
        try {
            openRings(peer);
            transfers.serve(peer);
        } catch (IOException unusable) {
            LOGGER.log(
                    Level.WARNING,
                    "rank {0} gives rank {1} up: {2}",
                    String.valueOf(rank),
                    String.valueOf(peer),
                    unusable.getMessage());
            membership.distrust(peer);
        }
    }

    private void openRings(int peer) throws IOException {
        while (true) {
            PairFile file;
            try {
                file = attachment.openFrames(peer, ringsOpened[peer]);
            } catch (SystemCallException missing) {
                if (missing.errno() == SystemCallException.ENOENT) {
                    return;
                }
                throw missing;
            }
            ringsOpened[peer]++;
            Inbound added = new Inbound(peer, file);
            added.ending = file.isClosed();
            inbound = Arrays.copyOf(inbound, inbound.length + 1);
            inbound[inbound.length - 1] = added;
        }
    }

    private int reportLosses(FrameHandler handler) {
        int handled = 0;
        for (int peer = 0; peer < board.ranks(); peer++) {
            String reason = peer == rank || lost.get(peer) ? null : membership.goneBecause(peer);
            if (reason == null) {
                continue;
            }
            lost.set(peer);
            attend(); // its last ring was announced before it left
            handled += takeLastFrames(peer, handler);
            if (membership.hasLeftReadable(peer)) {
                handled += transfers.takeLast(peer, membership.hasDied(peer), handler);
            }
            transfers.lose(peer, reason);
            if (reason.equals(FrameHandler.LEFT)) {
                handler.onPeerLeft(peer);
            } else {
                handler.onPeerLost(peer, reason);
            }
            handled++;
        }
        return handled;
    }

    private int takeLastFrames(int peer, FrameHandler handler) {
        int handled = 0;
        for (Inbound each : inbound) {
            if (each.peer != peer) {
                continue;
            }
            if (membership.hasLeftReadable(peer)) {
                handled += each.frames.drain(handler);
                if (each.file.isConcurrent() && membership.hasDied(peer)) {
                    handled += each.frames.drainAbandoned(handler);
                }
            }
            drop(each);
            if (membership.hasDied(peer)) {
                each.file.discard(); // one that lives may still write, and must find the room that was reserved
            }
        }
        return handled;
    }
}
