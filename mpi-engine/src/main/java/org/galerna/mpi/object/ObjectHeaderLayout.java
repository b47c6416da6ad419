package org.galerna.mpi.object;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The first bytes of a message of objects, written by the sender before it sends and read by the receiver after it has
 * received; big-endian, so that ranks of different machines agree.
 *
 * <pre>
 *   0               4               8              12              16
 *  +---------------+---------------+---------------+---------------+----------------
 *  |     magic     |    objects    |    length     |   rest tag    | stream ...
 *  +---------------+---------------+---------------+---------------+----------------
 * </pre>
 *
 * <p>{@code length} counts the header and the whole stream. The first {@link #FIRST_PART} bytes travel as the message
 * that matches the receive; what is longer follows as a second message, with the tag {@code rest tag}, which the
 * sender uses for nothing else, in a context of its own. So a receive that cannot know the size in advance needs one
 * small buffer, and two threads that receive at once cannot take each other's second part.
 *
 * <p>A message of no objects has no bytes, not even a header: it matches a receive of nothing of any datatype.
 */
final class ObjectHeaderLayout {
    /** "GOb1": what tells objects from a message of another type. */
    static final int MAGIC = 0x474f6231;

    static final int LENGTH_OF_HEADER = 16;

    /** Bytes of the first message at most: as many as every device sends eagerly unless it is told otherwise. */
    static final int FIRST_PART = 8192;

    private static final int MAGIC_OFFSET = 0;
    private static final int OBJECTS_OFFSET = 4;
    private static final int LENGTH_OFFSET = 8;
    private static final int REST_TAG_OFFSET = 12;

    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    private ObjectHeaderLayout() {}

    static void write(byte[] message, int objects, int length, int restTag) {
        INT.set(message, MAGIC_OFFSET, MAGIC);
        INT.set(message, OBJECTS_OFFSET, objects);
        INT.set(message, LENGTH_OFFSET, length);
        INT.set(message, REST_TAG_OFFSET, restTag);
    }

    static int magic(byte[] message) {
        return (int) INT.get(message, MAGIC_OFFSET);
    }

    static int objects(byte[] message) {
        return (int) INT.get(message, OBJECTS_OFFSET);
    }

    static int length(byte[] message) {
        return (int) INT.get(message, LENGTH_OFFSET);
    }

    static int restTag(byte[] message) {
        return (int) INT.get(message, REST_TAG_OFFSET);
    }
}
