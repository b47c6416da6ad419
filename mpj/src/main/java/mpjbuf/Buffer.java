package mpjbuf;

/** Bytes to pack data into and to unpack them from, in the order of packing. Used by one thread at a time. */
public class Buffer {
    private final byte[] bytes;
    private int size;

    /** An empty buffer for {@code capacity} bytes. */
    public Buffer(int capacity) {
        this.bytes = new byte[capacity];
    }

    /** Bytes that fit in. */
    public int getCapacity() {
        return bytes.length;
    }

    /** Bytes that are in use. */
    public int getSize() {
        return size;
    }

    /** Sets the number of bytes that are in use, 0 to {@link #getCapacity}. */
    public void setSize(int size) {
        if (size < 0 || size > bytes.length) {
            throw new IllegalArgumentException(
                    "a buffer of " + bytes.length + " bytes cannot have " + size + " in use");
        }
        this.size = size;
    }

    /** Empties the buffer. */
    public void clear() {
        size = 0;
    }

    /** Gives the buffer up; its memory is the garbage collector's. */
    public void free() {
        size = 0;
    }

    /** The array behind the buffer, for {@code mpi}. */
    public byte[] array() {
        return bytes;
    }
}
