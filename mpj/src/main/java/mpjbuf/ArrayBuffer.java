package mpjbuf;

import java.util.Arrays;

/** Memory that grows for objects, whose size nobody knows beforehand. */
final class ArrayBuffer implements RawBuffer {
    private byte[] bytes;

    ArrayBuffer(int capacity) {
        if (capacity < 0) {
            throw new IllegalArgumentException("a buffer cannot have " + capacity + " bytes");
        }
        this.bytes = new byte[capacity];
    }

    byte[] bytes() {
        return bytes;
    }

    void growTo(int capacity) {
        if (capacity > bytes.length) {
            bytes = Arrays.copyOf(bytes, capacity);
        }
    }

    @Override
    public int getCapacity() {
        return bytes.length;
    }

    @Override
    public void free() {}
}
