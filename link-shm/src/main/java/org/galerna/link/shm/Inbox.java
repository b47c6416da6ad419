package org.galerna.link.shm;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Map;
import java.util.TreeMap;
import org.galerna.link.FrameHandler;
import org.galerna.link.process.OwnLog;
import org.galerna.link.shm.attachment.Attachment;
import org.galerna.link.shm.attachment.Membership;
import org.galerna.link.shm.board.ControlPage;
import org.galerna.link.shm.file.ControlPageLayout;
import org.galerna.link.shm.file.PairFile;
import org.galerna.link.support.RingFrames;
import org.galerna.nativeaccess.file.SystemCallException;
import org.jspecify.annotations.Nullable;

/** The rings that lead to this rank, and what it has noticed of its peers. Used by the polling thread alone. */
final class Inbox {
    private static final Logger LOGGER = OwnLog.of(Inbox.class.getName());

    /** Polls in a row that may leave transfers aside, since frames have come. */
    private static final int MOST_FRAMES_ONLY = 4;

    private final Membership membership;
    private final Attachment attachment;
    private final ControlPage board;
    private final int rank;
    private final ShmRma transfers;
    private final int[] ringsOpened;
    private final @Nullable ReceiveQueue queue;
    private final Releases releases;
    private final BitSet lost = new BitSet();
    private Inbound[] inbound = {};
    private int eventsSeen;

    /** Gone peers that are reported when the queue has been taken up to {@link #queueEnd}, and why they are gone. */
    private final Map<Integer, String> leaving = new TreeMap<>();

    private int queueEnd;
    private int framesOnly; // polls in a row that had frames, and did not look at transfers

    /** The rings from this rank to others. */
    @FunctionalInterface
    interface Releases {
        /** Tells the handler which of them their receivers want back. */
        void tell(FrameHandler handler);
    }

    Inbox(Attachment attachment, Membership membership, ShmRma transfers, Releases releases) {
        this.membership = membership;
        this.attachment = attachment;
        this.board = attachment.board();
        this.rank = membership.rank();
        this.transfers = transfers;
        this.ringsOpened = new int[board.ranks()];
        this.releases = releases;
        this.queue = attachment
                .queue()
                .map(file -> new ReceiveQueue(file, board.ranks(), membership, this))
                .orElse(null);
    }

    /** Frames that lead here from one peer. */
    static final class Inbound {
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
            attend(handler);
        }
        int handled = queue == null ? 0 : queue.poll(handler, limit);
        for (Inbound each : inbound) {
            handled += poll(each, handler, limit);
        }
        if (handled == 0 || ++framesOnly == MOST_FRAMES_ONLY) {
            framesOnly = 0;
            transfers.progress(ShmRma.POLL_BUDGET);
            handled += transfers.report(handler);
        }
        return news || !leaving.isEmpty() ? handled + reportLosses(handler) : handled;
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
        if (queue != null) {
            queue.giveBack();
        }
    }

    /** Opens what peers have opened to this rank, and notices which channels they have dismissed, or want dismissed. */
    private void attend(FrameHandler handler) {
        for (Inbound each : inbound) {
            each.ending = each.file.isClosed();
        }
        for (int word = 0; word < ControlPageLayout.words(board.ranks()); word++) {
            long bits = board.takeAnnounced(rank, word);
            for (; bits != 0; bits &= bits - 1) {
                int peer = word * Long.SIZE + Long.numberOfTrailingZeros(bits);
                if (peer < board.ranks()) {
                    open(peer, handler);
                }
            }
        }
        if (queue != null) {
            releases.tell(handler);
            queue.takeBackSilent(inbound);
        }
    }

    private void open(int peer, FrameHandler handler) {
        try {
            if (queue == null) {
                openRings(peer);
            }
            transfers.serve(peer, handler);
        } catch (IOException unusable) {
            giveUp(peer, unusable);
        }
    }

    private void giveUp(int peer, IOException unusable) {
        LOGGER.log(
                Level.WARNING,
                "rank {0} gives rank {1} up: {2}",
                String.valueOf(rank),
                String.valueOf(peer),
                unusable.getMessage());
        membership.distrust(peer);
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
            add(new Inbound(peer, file));
        }
    }

    private void add(Inbound added) {
        added.ending = added.file.isClosed();
        inbound = Arrays.copyOf(inbound, inbound.length + 1);
        inbound[inbound.length - 1] = added;
    }

    // ---- rings beside the queue

    /** The queue names a ring of a peer. */
    void openRing(int peer, int number) {
        try {
            add(new Inbound(peer, attachment.openFrames(peer, number)));
        } catch (IOException unusable) {
            giveUp(peer, unusable);
        }
    }

    /** A peer uses the queue again: takes what is left in its rings. */
    void endRings(int peer, FrameHandler handler) {
        for (Inbound each : inbound) {
            if (each.peer == peer) {
                int ignored = each.frames.drain(handler);
                drop(each);
                if (each.frames.isCorrupt()) {
                    membership.distrust(peer);
                }
                each.file.discard();
            }
        }
    }

    boolean isLost(int peer) {
        return lost.get(peer);
    }

    /** Whether any peer is gone. */
    boolean hasLosses() {
        return !lost.isEmpty() || !leaving.isEmpty();
    }

    /**
     * Tells of peers that are gone, once and after their last frames.
     *
     * <p>Argument: a peer is found to be gone by an acquire read, after it had committed all of its frames. So they lie in its
     * rings, or in the queue before the end that is read after that. When the queue has been taken up to there, the
     * peer's last ring is among those that are polled.
     */
    private int reportLosses(FrameHandler handler) {
        if (leaving.isEmpty() && !findLosses()) {
            return 0;
        }
        if (queue != null && !queue.hasPassed(queueEnd)) {
            return 0; // the next poll comes here again
        }
        attend(handler); // their last rings were announced before they left
        int handled = 0;
        for (Map.Entry<Integer, String> each : leaving.entrySet()) {
            handled += report(each.getKey(), each.getValue(), handler);
        }
        leaving.clear();
        return handled + reportLosses(handler); // others may have gone since
    }

    private boolean findLosses() {
        for (int peer = 0; peer < board.ranks(); peer++) {
            String reason = peer == rank || lost.get(peer) ? null : membership.goneBecause(peer);
            if (reason != null) {
                leaving.put(peer, reason);
            }
        }
        queueEnd = queue == null ? 0 : queue.end();
        return !leaving.isEmpty();
    }

    private int report(int peer, String reason, FrameHandler handler) {
        lost.set(peer);
        int handled = takeLastFrames(peer, handler);
        if (membership.hasLeftReadable(peer)) {
            handled += transfers.takeLast(peer, membership.hasDied(peer), handler);
        }
        transfers.lose(peer, reason);
        if (reason.equals(FrameHandler.LEFT)) {
            handler.onPeerLeft(peer);
        } else {
            handler.onPeerLost(peer, reason);
        }
        return handled + 1;
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
