package org.galerna.link.support;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.galerna.link.Channel;
import org.galerna.memory.MpscProducer;
import org.galerna.memory.RecordRing;

/**
 * A channel to a peer's receive queue, into which any rank may write: the first frames of a pair go through it, so that
 * pairs that hardly talk need no memory. A pair that talks more gets a ring of its own, as far as the receiver has room
 * for one. MPICH's Nemesis has the same two ways (Buntinas, Mercier, Gropp 2006: one receive queue for each process, and
 * "fast boxes").
 *
 * <p><b>Order.</b> The frames of one sender lie in the queue in the order of their claims. The last record of a sender in the
 * queue names its new ring. The receiver looks at that ring only when it has come to this record, so after all that the sender
 * had written before. The way back is the same: a sender that releases its ring writes nothing more into it, and the next
 * record that the receiver finds in the queue tells that. It first takes all that is left in the ring. The release
 * write of the record's commit comes after those of the ring, and the receiver's acquire read of it before its look at
 * the ring, so everything is there. {@link QueueFrames} is the other side.
 *
 * <p>One thread at a time claims, with a happens-before edge between one thread's use and the next one's: two threads could
 * otherwise write into the queue behind the record that names the ring.
 */
public abstract class QueueChannel implements Channel {
    /** Bytes before a frame in the queue: who sends it, or which ring follows. */
    static final int PREFIX = 8;

    /** Frames through the queue after which a pair asks for a ring, and then again. */
    static final int BUSY = 16;

    /** Answer of {@link #openRing}: the receiver has no room for one. */
    protected static final int REFUSED = -1;

    private static final int NO_RING = -2;

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(LITTLE_ENDIAN);

    private final int source;
    private final MpscProducer producer;
    private final MemorySegment memory;
    private final int maximumFrame;
    private int untilAsked = BUSY;
    private int ring = NO_RING; // made, and not named in the queue yet
    private boolean moved;

    /**
     * Frames for a queue.
     *
     * @param source rank that sends them
     * @param queue of the receiver
     * @param maximumFrame longest frame, in bytes: what fits into a ring, too
     */
    protected QueueChannel(int source, RecordRing queue, int maximumFrame) {
        this.source = source;
        this.producer = new MpscProducer(queue);
        this.memory = queue.memory();
        this.maximumFrame = maximumFrame;
    }

    static long frameOf(int source) {
        return source;
    }

    static long ringOf(int source, int ring) {
        return source | (long) (ring + 1) << 32;
    }

    static int source(long prefix) {
        return (int) prefix;
    }

    /** The ring that the rest of the sender's frames come through; {@link #REFUSED} if the record is a frame. */
    static int ring(long prefix) {
        return (int) (prefix >>> 32) - 1;
    }

    static long prefix(MemorySegment memory, long offset) {
        return memory.get(LONG, offset);
    }

    /** Whether the peer is gone, or this channel is closed. */
    protected abstract boolean isGone();

    /** This channel is about to claim in the queue. False if it must not any more. */
    protected boolean begin() {
        return true;
    }

    /** What this channel has claimed is committed, or it has not claimed anything. */
    protected void end() {
        // for those that have to know
    }

    /**
     * Makes a ring for this pair.
     *
     * @return the number by which the receiver finds it; or {@link #REFUSED}
     */
    protected abstract int openRing();

    /** The receiver has been told of the ring: {@link org.galerna.link.Link#connect} answers with the channel into it. */
    protected abstract void useRing();

    @Override
    public final MemorySegment memory() {
        return memory;
    }

    @Override
    public final long claim(int length) {
        if (isGone()) {
            return CLOSED;
        }
        if (length > maximumFrame) {
            return TOO_LONG;
        }
        if (moved || (--untilAsked < 0 && move())) {
            return MOVED;
        }
        if (!begin()) {
            return CLOSED;
        }
        long claim = producer.claim(length + PREFIX);
        if (claim < 0) {
            end();
            return claim;
        }
        memory.set(LONG, Channel.offset(claim), frameOf(source));
        return claim + PREFIX;
    }

    private boolean move() {
        untilAsked = BUSY;
        if (ring == NO_RING) {
            int opened = openRing(); // before the claim: whatever takes long would hold up all senders
            ring = opened == REFUSED ? NO_RING : opened;
        }
        if (ring == NO_RING || !begin()) {
            return false;
        }
        long last = producer.claim(PREFIX);
        if (last < 0) {
            end();
            return false; // the queue is full: later
        }
        memory.set(LONG, Channel.offset(last), ringOf(source, ring));
        producer.commit(last, PREFIX);
        end();
        moved = true;
        flush();
        useRing();
        return true;
    }

    @Override
    public final void commit(long claim, int length) {
        producer.commit(claim - PREFIX, length + PREFIX);
        end();
    }

    @Override
    public final void abort(long claim) {
        producer.abort(claim - PREFIX);
        end();
    }
}
