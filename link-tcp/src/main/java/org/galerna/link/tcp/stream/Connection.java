package org.galerna.link.tcp.stream;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.galerna.link.FrameHandler;
import org.galerna.link.support.RegionTable;
import org.galerna.link.tcp.wire.Closing;
import org.galerna.link.tcp.wire.Frames;
import org.galerna.link.tcp.wire.Wire;
import org.jspecify.annotations.Nullable;

/**
 * What this rank and one peer have with each other: the wire once it is there, and the transfers under way.
 *
 * <p><b>Wires that follow each other.</b> A rank with too many connections leaves one that carries nothing: it writes
 * {@link Frames#LAST} there, behind everything else, and nothing more. Whoever reads that leaves the wire likewise. What either
 * has to say afterwards goes over the next wire, which the one that needs it opens. The two directions change wires apart:
 *
 * <pre>
 *  writing   on a wire --{@link #pause}, or LAST read--&gt; leaving it --everything and LAST written--&gt; on the next, or on none
 *  reading   a wire --LAST read--&gt; the next, or none
 *  a wire    is closed when it was left and read to its end
 * </pre>
 *
 * <p>Argument. <i>Nothing is lost:</i> LAST is written when nothing else is there to be written, under the lock that all
 * writing needs; a frame that is committed while the lock is taken is written by its holder, which has changed wires by then.
 * A wire is closed after both LASTs, so that nothing is unread in it. <i>Order:</i> a rank writes to one wire at a
 * time, and its peer reads from the next only after LAST. <i>Nobody waits for a thread that computes:</i> the next wire
 * is opened and accepted by the threads of the managers, while the one before is still unread. <i>Two wires are enough:</i> a
 * rank pauses only what it both reads and writes; the peer may have that one unread and no further one is let in before
 * it has looked. <i>Both know which wire is which:</i> the greeting has its number, so that a late call is put off.
 */
public final class Connection {
    private final int peer;
    private final Runnable readToEnd;
    private final LinkBuffers buffers;
    private final Outbound out;
    private final Transfers transfers;
    private volatile @Nullable Inbound in;
    private volatile @Nullable Wire wire; // what is read from
    private volatile boolean begun;
    private volatile boolean closed;

    // guarded by this
    private @Nullable Wire next; // read from after the last frame
    private @Nullable Wire done; // left or read to its end, and not both yet

    // of the polling thread
    private boolean broken;
    private boolean ready;
    private long ringPosition; // when it was reviewed last
    private long frames; // as of the last look at its use
    private long lastUse;
    private boolean used;

    /**
     * Without a wire.
     *
     * @param events of what is written
     * @param readToEnd run when a wire was read to its end, by the polling thread
     */
    public Connection(
            int rank,
            int peer,
            int size,
            RegionTable regions,
            Transfers.Gossip gossip,
            Outbound.Events events,
            Runnable readToEnd,
            LinkBuffers buffers) {
        this.peer = peer;
        this.readToEnd = readToEnd;
        this.buffers = buffers;
        this.out = new Outbound(buffers, events);
        this.transfers = new Transfers(rank, peer, size, regions, gossip, out);
    }

    public int peer() {
        return peer;
    }

    public Outbound out() {
        return out;
    }

    /** The transfers under way. */
    public Transfers transfers() {
        return transfers;
    }

    @Nullable
    public Wire wire() {
        return wire;
    }

    @Nullable
    public Inbound in() {
        return in;
    }

    /** Whether nothing more can be sent. */
    public boolean isClosed() {
        return closed || out.isBroken();
    }

    /** Refuses claims from now on. */
    public void close() {
        closed = true;
    }

    /** Begins to use the wire, behind the one before. */
    public void connect(Wire connected) {
        synchronized (this) {
            if (wire == null) {
                begin(connected);
            } else {
                next = connected;
            }
        }
        begun = true;
        out.connect(connected);
    }

    private void begin(@Nullable Wire from) {
        in = from == null ? null : new Inbound(peer, transfers, buffers);
        wire = from;
    }

    /** Whether there is or was a wire. */
    public boolean hasBegun() {
        return begun;
    }

    /** Whether a wire waits for the one before to be read to its end. */
    public synchronized boolean hasNext() {
        return next != null;
    }

    /** Ends the use of all wires; safe to be repeated. */
    public void disconnect() {
        out.discard();
        Wire written = out.wire();
        synchronized (this) {
            for (Wire each : new Wire[] {wire, next, done, written}) {
                Closing.quietly(each == null ? null : each::close);
            }
        }
    }

    // ---- pausing

    /** A wire was left, or was read to its end: it is closed when both are so. */
    public synchronized void end(Wire over) {
        if (done == over) {
            done = null;
            over.closeBehindLast();
        } else {
            done = over;
        }
    }

    /** The peer has written its last frame to a wire: what it says next comes by the next one. */
    private void changeWires(Wire read) {
        synchronized (this) {
            begin(next);
            next = null;
        }
        end(read);
        out.leave(read);
    }

    /** Notes whether there was any traffic since the last look. The polling thread's. */
    public void noteUse(long look) {
        Inbound inbound = in;
        long position = out.written() + (inbound == null ? 0 : inbound.frames());
        if (position != frames) {
            frames = position;
            lastUse = look;
            used = true;
        }
    }

    /** The look at which there was traffic last. */
    public long lastUse() {
        return lastUse;
    }

    /**
     * Leaves the wire if it carries nothing. The polling thread's.
     *
     * @param evenUnused whether also one that has carried nothing yet, whose opener may be about to use it
     * @return whether it is being left
     */
    public boolean pause(boolean evenUnused) {
        Wire from = wire;
        Inbound inbound = in;
        if (from == null
                || inbound == null
                || !(used || evenUnused)
                || !inbound.isBetweenFrames()
                || !transfers.isEmpty()
                || isHalfOver()
                || !out.isIdle(from)) {
            return false;
        }
        out.leave(from);
        return true;
    }

    /** Whether everything including the goodbye is with the peer's system, or the peer takes nothing any more. */
    public boolean isDelivered() {
        if (out.isDelivered()) {
            return true;
        }
        Wire written = out.wire();
        if (written == null || written == wire) {
            return false; // what is read tells
        }
        try {
            return written.read(ByteBuffer.allocate(1)) < 0; // nothing comes behind the last frame but the end
        } catch (IOException brokenOff) {
            return true;
        }
    }

    private synchronized boolean isHalfOver() {
        return next != null || done != null;
    }

    // ---- polling

    /**
     * Handles what has come and writes what waits.
     *
     * @throws IOException if the connection is broken, or the peer does not keep to the protocol
     */
    public int poll(FrameHandler handler, int limit) throws IOException {
        Wire from = wire;
        Inbound inbound = in;
        if (from == null || inbound == null || broken) {
            return 0;
        }
        try {
            int handled = inbound.poll(from, handler, limit);
            if (!inbound.isOver()) {
                return handled;
            }
            changeWires(from);
            readToEnd.run();
            return handled + poll(handler, limit);
        } catch (IOException failure) {
            broken = true;
            throw failure;
        } finally {
            if (transfers.takeAnswered() || out.isBlocked()) {
                out.flush();
            }
        }
    }

    /** There is something to read. */
    public void setReady() {
        ready = true;
    }

    /** Whether a look may find or do something, as far as is known. */
    public boolean needsLook() {
        Wire from = wire;
        Inbound inbound = in;
        if (from == null || inbound == null) {
            return false;
        }
        if (ready || inbound.hasLeftover() || from.hasBuffered() || out.isBlocked() || !from.isSelectable()) {
            ready = false;
            return true;
        }
        inbound.foundNothing();
        return false;
    }

    /** Whether there is a ring for frames that nothing has been written to since this was asked last. */
    public boolean hasSilentRing() {
        long position = out.ringPosition();
        boolean silent = position != 0 && position == ringPosition;
        ringPosition = position;
        return silent;
    }

    /** Whether bytes of transfers have come since the last call. */
    public boolean takeMoved() {
        Inbound inbound = in;
        boolean gone = out.takeMoved();
        boolean come = inbound != null && inbound.takeMoved();
        return gone || come;
    }
}
