package org.galerna.profile.otf2;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The fields of a record in the format's encoding. A number is a byte that counts its bytes, and these, the lowest first; 0 has none,
 * and 255 stands for a number that is undefined.
 */
final class Fields {
    /** Stands for a number that is not known; no other number of ours is negative. */
    static final long UNDEFINED = -1;

    private static final int UNDEFINED_BYTE = 0xff;

    private byte[] bytes = new byte[64];
    private int length;

    /** Begins anew. */
    Fields clear() {
        length = 0;
        return this;
    }

    /** One byte as it is: kinds and flags. */
    Fields raw(int value) {
        if (length == bytes.length) {
            bytes = Arrays.copyOf(bytes, 2 * length);
        }
        bytes[length] = (byte) value;
        length++;
        return this;
    }

    /** A number in few bytes. */
    Fields number(long value) {
        if (value == UNDEFINED) {
            return raw(UNDEFINED_BYTE);
        }
        int size = (Long.SIZE - Long.numberOfLeadingZeros(value) + Byte.SIZE - 1) / Byte.SIZE;
        raw(size);
        return lowest(value, size);
    }

    /** A number in eight bytes. */
    Fields fixed(long value) {
        return lowest(value, Long.BYTES);
    }

    /** The lowest bytes of a number. */
    Fields lowest(long value, int size) {
        for (int i = 0; i < size; i++) {
            raw((int) (value >>> (i * Byte.SIZE)));
        }
        return this;
    }

    /** A text, up to its first zero. */
    Fields text(String text) {
        for (byte each : text.replace("\0", "").getBytes(StandardCharsets.UTF_8)) {
            raw(each);
        }
        return raw(0);
    }

    /** A copy of its bytes. */
    byte[] toArray() {
        return Arrays.copyOf(bytes, length);
    }

    int length() {
        return length;
    }

    /** A view on its bytes until it is changed. */
    ByteBuffer bytes() {
        return ByteBuffer.wrap(bytes, 0, length);
    }
}
