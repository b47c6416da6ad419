package org.galerna.device.matching.frame;

import org.galerna.device.Device;

/**
 * Tag and context of a message in one word, by which receives and messages are brought together: the tag in the upper
 * half, the context above the four lowest bits, which are zero (frames have their {@linkplain FrameLayout kind} there).
 */
public final class Envelope {
    /** Bits of a context. */
    public static final int CONTEXT_BITS = 28;

    private static final int CONTEXT_SHIFT = Integer.SIZE - CONTEXT_BITS;
    private static final long ANY_TAG = (long) Device.ANY_TAG << Integer.SIZE;

    private Envelope() {}

    /** The envelope of a message, or the one that a receive wants, with {@link Device#ANY_TAG} as tag. */
    public static long of(int tag, int context) {
        return (long) tag << Integer.SIZE | (long) context << CONTEXT_SHIFT;
    }

    public static int tag(long envelope) {
        return (int) (envelope >> Integer.SIZE);
    }

    public static int context(long envelope) {
        return (int) envelope >>> CONTEXT_SHIFT;
    }

    /** What a receive wants that takes any tag of the context. */
    public static long withAnyTag(long envelope) {
        return envelope | ANY_TAG;
    }

    public static boolean hasAnyTag(long envelope) {
        return envelope < 0;
    }
}
