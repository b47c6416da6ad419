package org.galerna.device;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.foreign.ValueLayout;

/**
 * What lies where in a frame of the device. Written by the sender before the commit and read by the receiver after the
 * poll, so plain accesses suffice.
 *
 * <pre>
 *        0        4        8        12       16       24       32       40
 *        +--------+--------+--------+--------+--------+--------+--------+
 * EAGER  |  kind  |  tag   | context|    0   | message ...
 * SYNC   |  kind  |  tag   | context|    0   | send id| message ...
 * RTS    |  kind  |  tag   | context|    0   | send id| length | key    |
 * DONE   |  kind  |    0   |    0   |    0   | send id|
 * CREDIT |  kind  |    0   |    0   |    0   | bytes  |
 *        +--------+--------+--------+--------+--------+--------+--------+
 * </pre>
 */
final class FrameLayout {
    /** A message with its bytes. */
    static final int EAGER = 1;

    /** A message with its bytes whose sender wants to hear when it is matched. */
    static final int SYNC = 2;

    /** Ready to send: an announced message, to be fetched from the sender's memory. */
    static final int RTS = 3;

    /** The send with this id is complete: it was matched, and its memory is no longer needed. */
    static final int DONE = 4;

    /** The receiver has taken eagerly sent bytes out of its queue. */
    static final int CREDIT = 5;

    static final int KIND_AND_TAG = 0;
    static final int CONTEXT = 8;
    static final int EAGER_MESSAGE = 16;
    static final int SEND_ID = 16;
    static final int SYNC_MESSAGE = 24;
    static final int RTS_LENGTH = 24;
    static final int RTS_KEY = 32;
    static final int RTS_BYTES = 40;
    static final int CONTROL_VALUE = 16;
    static final int CONTROL_BYTES = 24;

    /** Longest header in front of the bytes of a message. */
    static final int LONGEST_HEADER = SYNC_MESSAGE;

    static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT.withOrder(LITTLE_ENDIAN);
    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(LITTLE_ENDIAN);

    private FrameLayout() {}

    /** The first two fields, which are written and read together. */
    static long kindAndTag(int kind, int tag) {
        return (long) tag << 32 | kind;
    }

    static int kind(long kindAndTag) {
        return (int) kindAndTag;
    }

    static int tag(long kindAndTag) {
        return (int) (kindAndTag >>> 32);
    }
}
