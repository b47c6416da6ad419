package org.galerna.launch.rendezvous;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads what a {@link FieldWriter} has written.
 *
 * <p>All methods throw {@link IllegalArgumentException} if the body is too short or makes no sense.
 */
public final class FieldReader {
    private final ByteBuffer body;

    FieldReader(byte[] body) {
        this.body = ByteBuffer.wrap(body);
    }

    /** Reads four bytes. */
    public int number() {
        require(Integer.BYTES);
        return body.getInt();
    }

    /** Reads eight bytes. */
    public long longNumber() {
        require(Long.BYTES);
        return body.getLong();
    }

    /** Reads one of two values. */
    public boolean flag() {
        return number() != 0;
    }

    /** Reads bytes. */
    public byte[] bytes() {
        int length = number();
        require(length);
        byte[] value = new byte[length];
        body.get(value);
        return value;
    }

    /** Reads a text. */
    public String text() {
        return new String(bytes(), StandardCharsets.UTF_8);
    }

    /** Reads a list. */
    public <T extends @Nullable Object> List<T> list(Function<FieldReader, T> read) {
        int length = number();
        // an element has at least one field
        require((long) Integer.BYTES * length);
        List<T> elements = new ArrayList<>(length);
        for (int index = 0; index < length; index++) {
            elements.add(read.apply(this));
        }
        return elements;
    }

    private void require(long bytes) {
        if (bytes < 0 || bytes > body.remaining()) {
            throw new IllegalArgumentException(
                    "a field of " + bytes + " bytes in a message with " + body.remaining() + " left");
        }
    }
}
