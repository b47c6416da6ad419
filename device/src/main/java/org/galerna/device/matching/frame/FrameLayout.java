package org.galerna.device.matching.frame;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.foreign.ValueLayout;
import org.galerna.link.EarlyChannel;

/**
 * What lies where in a frame of the device. Written by the sender before the commit and read by the receiver after the
 * poll, so plain accesses suffice.
 *
 * <pre>
 *        0                 8        16       24       32
 *        +-----------------+--------+--------+--------+
 * EAGER  | envelope + kind | message ...
 * SYNC   | envelope + kind | send id| message ...
 * RTS    | envelope + kind | send id| length | descriptor of the region ...   send id: its complement if the sender notices by itself
 * DONE   |            kind | send id|
 * CANCEL, CANCELLED, KEEP | kind | send id|
 * CREDIT |            kind | bytes  |
 * BATCH  | envelope + kind | length | messages of that length, one after the other ...
 *        +-----------------+--------+--------+--------+
 * </pre>
 *
 * The kind takes the four bits that are zero in an {@link Envelope}. Where a link {@linkplain
 * EarlyChannel#claimWithHead shows heads}, longer messages out of arrays come with their envelope as the head and
 * their bytes as the contents, and have no frame of this kind.
 */
public final class FrameLayout {
    /** What a message costs of the credit beyond its bytes: about the memory that the receiver's entry takes. */
    public static final int MESSAGE_COST = 128;

    /** A message with its bytes. */
    public static final int EAGER = 1;

    /** A message with its bytes whose sender wants to hear when it is matched. */
    public static final int SYNC = 2;

    /** Ready to send: an announced message, to be fetched from the sender's memory. */
    public static final int RTS = 3;

    /** The send with this id is complete: it was matched, and its memory is no longer needed. */
    public static final int DONE = 4;

    /** The receiver has taken eagerly sent bytes out of its queue. */
    public static final int CREDIT = 5;

    /** Messages with equal envelopes and lengths, with their bytes. */
    public static final int BATCH = 6;

    /** The sender would like to be done with the send of this id: {@link #CANCELLED} or {@link #DONE} follows soon. */
    public static final int CANCEL = 7;

    /** The answer: there is no message of the send with this id any more. */
    public static final int CANCELLED = 8;

    /** The sender leaves: the message of the send with this id is to be fetched, whether a receive has matched it or not. */
    public static final int KEEP = 9;

    public static final int HEADER = 0;
    public static final int EAGER_MESSAGE = 8;
    public static final int SEND_ID = 8;
    public static final int SYNC_MESSAGE = 16;
    public static final int RTS_LENGTH = 16;
    public static final int RTS_DESCRIPTOR = 24;
    public static final int BATCH_LENGTH = 8;
    public static final int BATCH_MESSAGES = 16;
    public static final int CONTROL_VALUE = 8;
    public static final int CONTROL_BYTES = 16;

    private static final long KIND_MASK = 15;

    /** Most bytes in front of the bytes of a message. */
    public static final int LONGEST_HEADER = EarlyChannel.CONTENTS;

    /** Frames are aligned to 8 bytes; the layout that does not ask for it saves the check. */
    public static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(LITTLE_ENDIAN);

    private FrameLayout() {}

    /** The id of an announced send whose link tells when the message has been fetched; inverts itself. */
    public static long withoutAnswer(long sendId) {
        return ~sendId;
    }

    /** Whether the sender waits for {@link #DONE}. */
    public static boolean wantsAnswer(long sendId) {
        return sendId >= 0;
    }

    public static int kind(long header) {
        return (int) (header & KIND_MASK);
    }

    public static long envelope(long header) {
        return header & ~KIND_MASK;
    }
}
