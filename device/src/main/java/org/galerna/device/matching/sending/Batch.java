package org.galerna.device.matching.sending;

import static org.galerna.device.matching.frame.FrameLayout.BATCH;
import static org.galerna.device.matching.frame.FrameLayout.BATCH_LENGTH;
import static org.galerna.device.matching.frame.FrameLayout.BATCH_MESSAGES;
import static org.galerna.device.matching.frame.FrameLayout.HEADER;
import static org.galerna.device.matching.frame.FrameLayout.LONG;

import java.lang.foreign.MemorySegment;
import org.galerna.link.Channel;
import org.galerna.link.EarlyChannel;
import org.galerna.memory.Buffers;

/**
 * Short messages without blocking that follow each other to one peer, with equal envelopes and lengths and no progress in
 * between: after the first ones they share frames, which takes a quarter of the cache lines and spares the receiver most of
 * the matching. A frame is open while it has room. The receiver sees each message as soon as it is written ({@link
 * EarlyChannel#show}), so nobody has to close the frame behind the last one; the next frame of another kind does.
 *
 * <p>Used inside the peer's lock.
 */
final class Batch {
    /** Of a frame: three cache lines. With longer ones the receiver waits longer for the first messages. */
    private static final int FRAME_BYTES = 192;

    /** Longest message that goes into a batch; longer ones gain nothing. */
    static final int LONGEST = 32;

    /** Messages that go alone: most programs send few at a time, and one that is alone arrives sooner in one line. */
    private static final int ALONE = 2;

    private static final int NONE = -1;

    private long envelope;
    private int length = NONE;
    private int round;
    private int alike;
    private long claim;

    /** Bytes of the open frame, which holds messages of this envelope and length; 0 if there is none. */
    private int used;

    /**
     * Takes note of a message; true if it is to go into the batch, by {@link #add}.
     *
     * @param messageLength at most {@value #LONGEST}
     * @param now changes when the rank makes progress
     */
    boolean takes(Channel to, long messageEnvelope, int messageLength, int now) {
        if (messageEnvelope == envelope && messageLength == length && round == now) {
            return ++alike > ALONE;
        }
        close(to);
        envelope = messageEnvelope;
        length = messageLength == 0 ? NONE : messageLength;
        round = now;
        alike = 1;
        return false;
    }

    /** Adds the message that {@link #takes} has taken note of; false if there is no room at the moment. */
    boolean add(EarlyChannel to, Object buffer, long offset) {
        if (used == 0 && !open(to)) {
            return false;
        }
        Buffers.copy(buffer, offset, to.memory(), Channel.offset(claim) + used, length);
        used += length;
        if (used + length > FRAME_BYTES) {
            close(to);
        } else {
            to.show(claim, used);
        }
        return true;
    }

    private boolean open(Channel to) {
        long claimed = to.claim(FRAME_BYTES);
        if (claimed < 0) {
            return false;
        }
        MemorySegment memory = to.memory();
        long at = Channel.offset(claimed);
        memory.set(LONG, at + HEADER, envelope | BATCH);
        memory.set(LONG, at + BATCH_LENGTH, length);
        claim = claimed;
        used = BATCH_MESSAGES;
        return true;
    }

    /** Completes the open frame; to be called before another one is claimed. */
    void close(Channel to) {
        if (used > 0) {
            to.commit(claim, used);
            used = 0;
        }
    }
}
