package org.galerna.device.matching.sending;

import static org.galerna.device.matching.frame.FrameLayout.CONTROL_BYTES;
import static org.galerna.device.matching.frame.FrameLayout.CONTROL_VALUE;
import static org.galerna.device.matching.frame.FrameLayout.EAGER_MESSAGE;
import static org.galerna.device.matching.frame.FrameLayout.LONG;
import static org.galerna.device.matching.frame.FrameLayout.RTS;
import static org.galerna.device.matching.frame.FrameLayout.RTS_DESCRIPTOR;
import static org.galerna.device.matching.frame.FrameLayout.RTS_LENGTH;
import static org.galerna.device.matching.frame.FrameLayout.SEND_ID;
import static org.galerna.device.matching.frame.FrameLayout.SYNC;
import static org.galerna.device.matching.frame.FrameLayout.SYNC_MESSAGE;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import org.galerna.device.matching.frame.Envelope;
import org.galerna.device.matching.frame.FrameLayout;
import org.galerna.device.matching.request.Outgoing;
import org.galerna.device.matching.request.ReceiveRequest;
import org.galerna.device.matching.request.SendRequest;
import org.galerna.device.support.Membership;
import org.galerna.link.Channel;
import org.galerna.link.EarlyChannel;
import org.galerna.link.Link;
import org.galerna.link.Region;
import org.galerna.link.Rma;
import org.galerna.link.SharedHeapLink;
import org.galerna.link.counters.PeerCounters;
import org.galerna.memory.AsymmetricFence;
import org.galerna.memory.Buffers;
import org.galerna.memory.OwnerLock;
import org.galerna.nativeaccess.memory.RawMemory;
import org.jspecify.annotations.Nullable;

/**
 * The sending side towards one rank: its channel, the credit it has granted, and what waits for room. A lock per peer,
 * so that threads that send to different ranks do not meet. Never takes the device's match lock while it holds its own.
 *
 * <p>Order: frames leave in the order in which they were given to this object. While anything waits in the backlog,
 * everything that follows waits behind it.
 */
public final class Peer {
    /** So many bytes in an array are left to the link: some need not copy them. */
    private static final int LONG_MESSAGE = 16 * 1024;

    /** Outcome of {@link #sendEager}: the message is on its way. */
    public static final int SENT = 0;

    /** Outcome of {@link #sendEager}: no room or no credit at the moment. */
    static final int LATER = 1;

    /** Outcome of {@link #sendEager}: the peer has left. */
    static final int GONE = 2;

    /** Outcome of {@link #sendInBurst}: on its way once the {@link Coalescer} flushes. */
    public static final int HELD = 3;

    private final int rank;
    private final Link link;
    private final Membership membership;
    private final Rounds rounds;
    private final OwnerLock lock;
    private final Deque<Outgoing> backlog = new ArrayDeque<>();
    private final Backlogs backlogs;
    private final @Nullable Burst burst;
    private final Way way;
    private final int inlineFrame;
    private final Rma rma;
    private long credit;

    /** Counts what is sent inside the lock of the peer, and what is received inside the match lock. */
    public final PeerCounters counters;

    /** Longest message that is sent eagerly, in bytes: that of the link which reaches the peer. */
    public final int eagerLimit;

    /** Bytes of the messages taken out of the peer's open frame; guarded by the match lock. */
    public int takenOfBatch;

    /** Head of the message that is coming from the peer, or of the last one that did; guarded by the match lock. */
    public long headTold;

    /** The receive that this message is for, as far as that is known; guarded by the match lock. */
    @Nullable
    public ReceiveRequest expecting;

    /** Bytes taken from this peer's messages and not yet granted again; guarded by the match lock. */
    public long toGrant;

    /**
     * A peer that nothing has been sent to.
     *
     * @param gatherer holds messages back where flushing costs a call of the system; null if none are to be
     * @param wantedLimit longest message that is to be sent eagerly, in bytes, as far as frames have room for it
     */
    public Peer(
            int rank,
            Link link,
            Membership membership,
            Rounds rounds,
            AsymmetricFence fence,
            Backlogs backlogs,
            @Nullable Coalescer gatherer,
            int wantedLimit,
            long credit) {
        this.rank = rank;
        this.link = link;
        this.way = new Way(membership.rank(), rank, link);
        this.membership = membership;
        this.counters = membership.counters().of(rank);
        this.rounds = rounds;
        this.lock = new OwnerLock(fence);
        this.backlogs = backlogs;
        this.burst = gatherer == null || !link.traits().writesOnFlush()
                ? null
                : gatherer.burst(() -> way.channel().flush());
        this.rma = link.rma();
        this.inlineFrame = link.traits().inlineFrame();
        this.eagerLimit = Math.min(wantedLimit, link.traits().maximumFrame() - FrameLayout.LONGEST_HEADER);
        this.credit = credit;
    }

    /** Whether a message of this context is coming from the peer and has a receive; under the match lock. */
    public boolean expects(int context) {
        ReceiveRequest request = expecting;
        return request != null && Envelope.context(request.wanted) == context;
    }

    /** Access to its memory. */
    public Rma rma() {
        return rma;
    }

    /** The heap that it shares with this rank. */
    public SharedHeapLink heap() {
        if (link instanceof SharedHeapLink heap) {
            return heap;
        }
        throw new IllegalStateException("rank " + rank + " does not share the heap");
    }

    /** Gives the memory back that the channel has for itself alone. */
    public void release() {
        lock.lock();
        try {
            way.release();
        } finally {
            lock.unlock();
        }
    }

    /** Sends a message with its bytes, if there is room and credit. */
    public int sendEager(Object buffer, long offset, int length, long envelope) {
        Channel to;
        lock.lock();
        try {
            to = way.channel();
            int outcome = writeEager(to, buffer, offset, length, envelope);
            if (outcome != SENT) {
                return outcome;
            }
        } finally {
            lock.unlock();
        }
        to.flush();
        return SENT;
    }

    /** Uses a wait of the thread that sends to this rank to make the next message faster. */
    public void prepare() {
        if (lock.tryLockAsOwner()) {
            try {
                EarlyChannel shown = way.early();
                if (shown != null) {
                    shown.prepare();
                }
            } finally {
                lock.unlock();
            }
        }
    }

    /** As {@link #sendEager}, where others may follow before the rank waits for anything. */
    public int sendInBurst(Object buffer, long offset, int length, long envelope) {
        Channel to;
        lock.lock();
        try {
            to = way.channel();
            EarlyChannel shown = way.early();
            if (length > Batch.LONGEST || shown == null || !addToBatch(shown, buffer, offset, length, envelope)) {
                int outcome = writeEager(to, buffer, offset, length, envelope);
                if (outcome != SENT) {
                    return outcome;
                }
                if (burst != null && burst.holds(length)) {
                    return HELD;
                }
            }
        } finally {
            lock.unlock();
        }
        to.flush();
        return SENT;
    }

    private boolean addToBatch(EarlyChannel to, Object buffer, long offset, int length, long envelope) {
        int cost = length + FrameLayout.MESSAGE_COST;
        if (!way.batch.takes(to, envelope, length, rounds.number())
                || credit < cost
                || !backlog.isEmpty()
                || !way.batch.add(to, buffer, offset)) {
            return false;
        }
        credit -= cost;
        counters.sent(Envelope.context(envelope), length);
        return true;
    }

    private int writeEager(Channel to, Object buffer, long offset, int length, long envelope) {
        int cost = length + FrameLayout.MESSAGE_COST;
        if (credit < cost || !backlog.isEmpty()) {
            return LATER;
        }
        EarlyChannel shown = way.early();
        if (EAGER_MESSAGE + length > inlineFrame
                && shown != null
                && buffer.getClass().isArray()) {
            return writeHeadFirst(shown, buffer, offset, length, envelope);
        }
        long claim = way.claim(EAGER_MESSAGE + length);
        if (claim < 0) {
            return claim == Channel.MOVED
                    ? writeEager(way.reopen(), buffer, offset, length, envelope)
                    : claim == Channel.CLOSED ? GONE : LATER;
        }
        MemorySegment memory = to.memory();
        long at = Channel.offset(claim);
        RawMemory.setLong(memory, at + FrameLayout.HEADER, envelope | FrameLayout.EAGER);
        if (length >= LONG_MESSAGE && buffer.getClass().isArray()) {
            to.commit(claim, EAGER_MESSAGE, buffer, offset, length);
        } else {
            copyIn(buffer, offset, to, claim, EAGER_MESSAGE, length);
            to.commit(claim, EAGER_MESSAGE + length);
        }
        credit -= cost;
        counters.sent(Envelope.context(envelope), length);
        return SENT;
    }

    /** For arrays, whose copying cannot fail: the receiver waits for what follows a head. */
    private int writeHeadFirst(EarlyChannel to, Object array, long offset, int length, long envelope) {
        way.closeBatch();
        long claim = to.claimWithHead(length, envelope);
        if (claim < 0) {
            return claim == Channel.MOVED
                    ? writeEager(way.reopen(), array, offset, length, envelope)
                    : claim == Channel.CLOSED ? GONE : LATER;
        }
        Buffers.write(array, offset, to.memory(), Channel.offset(claim) + EarlyChannel.CONTENTS, length);
        to.commitContents(claim);
        credit -= length + FrameLayout.MESSAGE_COST;
        counters.sent(Envelope.context(envelope), length);
        return SENT;
    }

    private static void copyIn(Object buffer, long offset, Channel to, long claim, int header, long length) {
        try {
            Buffers.write(buffer, offset, to.memory(), Channel.offset(claim) + header, length);
        } catch (RuntimeException | Error inaccessible) { // an Error if a file is shorter than its mapping
            to.abort(claim); // or the receiver would wait for it for ever
            throw inaccessible;
        }
    }

    /** Sends a request, or keeps it until there is room. */
    public void send(SendRequest request) {
        lock.lock();
        try {
            if (!backlog.isEmpty() || !writeMessage(request)) {
                keep(request);
            }
        } finally {
            lock.unlock();
        }
        way.channel().flush();
    }

    /** Sends a frame without a message, or keeps it until there is room. */
    public void sendControl(int kind, long value) {
        lock.lock();
        try {
            if (!backlog.isEmpty() || !writeControl(kind, value)) {
                keep(new Outgoing.Control(kind, value));
            }
        } finally {
            lock.unlock();
        }
        way.channel().flush();
    }

    private void keep(Outgoing outgoing) {
        if (backlog.isEmpty()) {
            backlogs.begin(this);
        }
        backlog.add(outgoing);
    }

    /** Takes a send back that waits in the backlog; false if it does not. */
    public boolean withdraw(SendRequest request) {
        lock.lock();
        try {
            if (!backlog.remove(request)) {
                return false;
            }
            if (backlog.isEmpty()) {
                backlogs.end(this);
            }
            if (request.kind != RTS) {
                credit += request.length + FrameLayout.MESSAGE_COST;
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Sends of the backlog what there is room for. Returns the number of frames sent. */
    public int flushBacklog() {
        int written = 0;
        lock.lock();
        try {
            while (!backlog.isEmpty() && write(backlog.getFirst())) {
                backlog.removeFirst();
                written++;
                if (backlog.isEmpty()) {
                    backlogs.end(this);
                }
            }
        } finally {
            lock.unlock();
        }
        if (written > 0) {
            way.channel().flush();
        }
        return written;
    }

    private boolean write(Outgoing outgoing) {
        // no switch: it would make a class in each start
        return outgoing instanceof Outgoing.Control(int kind, long value)
                ? writeControl(kind, value)
                : writeMessage((SendRequest) outgoing);
    }

    private boolean writeControl(int kind, long value) {
        long claim = way.claimAnywhere(CONTROL_BYTES);
        if (claim < 0) {
            return claim == Channel.CLOSED; // nobody is left to care
        }
        Channel to = way.channel();
        MemorySegment memory = to.memory();
        long at = Channel.offset(claim);
        memory.set(LONG, at + FrameLayout.HEADER, kind);
        memory.set(LONG, at + CONTROL_VALUE, value);
        to.commit(claim, CONTROL_BYTES);
        return true;
    }

    private boolean writeMessage(SendRequest request) {
        int kind = request.kind; // once the frame is committed, the request may be answered and used for another send
        long bytes = request.length;
        long envelope = request.envelope();
        int header = kind == SYNC ? SYNC_MESSAGE : EAGER_MESSAGE;
        Region exposed = kind == RTS ? request.region() : null;
        if (kind == RTS && exposed == null) {
            return true; // it has failed with its receiver
        }
        int length = exposed == null ? header + (int) request.length : RTS_DESCRIPTOR + exposed.descriptorBytes();
        long claim = way.claimAnywhere(length);
        if (claim < 0) {
            if (claim == Channel.CLOSED) {
                request.end(membership.lost(request.operation(), rank));
            }
            return claim == Channel.CLOSED;
        }
        Channel to = way.channel();
        MemorySegment memory = to.memory();
        long at = Channel.offset(claim);
        memory.set(LONG, at + FrameLayout.HEADER, envelope | kind);
        if (kind != FrameLayout.EAGER) {
            memory.set(LONG, at + SEND_ID, kind == RTS ? request.answer : request.id);
        }
        if (exposed != null) {
            memory.set(LONG, at + RTS_LENGTH, request.length);
            exposed.describe(memory, at + RTS_DESCRIPTOR);
        } else {
            try {
                copyIn(request.buffer(), request.offset, to, claim, header, request.length);
            } catch (RuntimeException inaccessible) {
                credit += request.length + FrameLayout.MESSAGE_COST;
                request.failUnreadable(inaccessible);
                return true;
            }
        }
        to.commit(claim, length);
        if (kind == RTS) {
            counters.announced(Envelope.context(envelope), bytes);
        } else {
            counters.sent(Envelope.context(envelope), bytes);
        }
        if (kind == FrameLayout.EAGER) {
            request.end(null);
        }
        return true;
    }

    /**
     * Takes the credit for a message that is going to be sent eagerly; false if there is not enough. Taken before the
     * message waits in the backlog, because everything that waits there will be sent.
     *
     * @param last whether the message will be announced if there is not enough, which counts as a stall
     */
    public boolean takeCredit(long length, boolean last) {
        lock.lock();
        try {
            boolean enough = credit >= length + FrameLayout.MESSAGE_COST;
            if (enough) {
                credit -= length + FrameLayout.MESSAGE_COST;
            } else if (last) {
                counters.stalled();
            }
            return enough;
        } finally {
            lock.unlock();
        }
    }

    public void grant(long bytes) {
        lock.lock();
        try {
            credit += bytes;
        } finally {
            lock.unlock();
        }
    }
}
