package org.galerna.link;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * The descriptor of a peer's {@link Region}, as it came in one of the peer's frames. Its bytes have a meaning for the link alone,
 * which must expect any bytes here. The object can be filled again and again, without allocating once it has been large enough.
 * Used by one thread at a time.
 */
public final class Descriptor {
    /** Longest descriptor, in bytes. */
    public static final int MOST_BYTES = 512;

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, LITTLE_ENDIAN);
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, LITTLE_ENDIAN);

    private byte[] bytes = new byte[Long.BYTES];
    private int length;

    /** An empty descriptor. */
    public Descriptor() {}

    /** That of a region of this process, for transfers of a rank with itself, and for tests. */
    public static Descriptor of(Region region) {
        MemorySegment frame = MemorySegment.ofArray(new long[region.descriptorBytes() / Long.BYTES + 1]);
        region.describe(frame, 0);
        Descriptor made = new Descriptor();
        made.read(frame, 0, region.descriptorBytes());
        return made;
    }

    /**
     * Takes a descriptor out of a frame. One that is longer than any link writes is left empty, which no link accepts.
     *
     * @param length bytes, as the peer says
     */
    public void read(MemorySegment frame, long at, int length) {
        this.length = 0;
        if (length < 0 || length > MOST_BYTES) {
            return;
        }
        if (length > bytes.length) {
            bytes = new byte[length];
        }
        MemorySegment.copy(frame, ValueLayout.JAVA_BYTE, at, bytes, 0, length);
        this.length = length;
    }

    /** Takes the bytes of another one. */
    public void set(Descriptor other) {
        if (other.length > bytes.length) {
            bytes = new byte[other.length];
        }
        System.arraycopy(other.bytes, 0, bytes, 0, other.length);
        length = other.length;
    }

    /** Its length in bytes. */
    public int length() {
        return length;
    }

    /** Eight of its bytes as a number, the lowest byte first; they must be there. */
    public long getLong(int at) {
        return (long) LONGS.get(bytes, at);
    }

    /** Four of its bytes as a number, the lowest byte first; they must be there. */
    public int getInt(int at) {
        return (int) INTS.get(bytes, at);
    }

    /** A copy of its bytes. */
    public byte[] toArray() {
        return Arrays.copyOf(bytes, length);
    }
}
