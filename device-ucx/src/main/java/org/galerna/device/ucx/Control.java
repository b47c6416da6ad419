package org.galerna.device.ucx;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import org.galerna.nativeaccess.memory.RawMemory;

/**
 * A control message to another rank's device: what it says (4 bytes), the number of the message that it is about (4 bytes), a
 * value (8 bytes), and the rank that says it (8 bytes). UCX delivers it behind all that its sender has sent before.
 */
final class Control {
    static final int BYTES = 24;

    /** The receiver has received so many bytes; its sender may send as many again. */
    static final int CREDIT = 1;

    /** The announced message has met its receive, which takes so many bytes of it. */
    static final int FETCH = 2;

    /** The synchronous message has met its receive. */
    static final int MATCHED = 3;

    /** The sender takes the message back, which is in that context. */
    static final int CANCEL = 4;

    /** The message has been dropped. */
    static final int CANCELLED = 5;

    /** The bytes of the announced message do not come: its memory has been freed. */
    static final int BROKEN = 6;

    /** This rank receives no more. */
    static final int LEAVING = 7;

    /** This rank sends no more. */
    static final int GONE = 8;

    /** {@link #GONE} has come; this rank sends no more to that one. */
    static final int SEEN = 9;

    /** The sender of the announced message, which is in that context, leaves: the receiver is to fetch it now. */
    static final int KEEP = 10;

    private static final int NUMBER = 4;
    private static final int VALUE = 8;
    private static final int SOURCE = 16;

    private Control() {}

    static void write(long slot, int source, int operation, int number, long value) {
        RawMemory.ALL.set(JAVA_INT, slot, operation);
        RawMemory.ALL.set(JAVA_INT, slot + NUMBER, number);
        RawMemory.ALL.set(JAVA_LONG, slot + VALUE, value);
        RawMemory.ALL.set(JAVA_LONG, slot + SOURCE, source);
    }

    static int source(long slot) {
        return (int) RawMemory.ALL.get(JAVA_LONG, slot + SOURCE);
    }

    static int operation(long slot) {
        return RawMemory.ALL.get(JAVA_INT, slot);
    }

    static int number(long slot) {
        return RawMemory.ALL.get(JAVA_INT, slot + NUMBER);
    }

    static long value(long slot) {
        return RawMemory.ALL.get(JAVA_LONG, slot + VALUE);
    }
}
