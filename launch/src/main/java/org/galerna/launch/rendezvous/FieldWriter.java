package org.galerna.launch.rendezvous;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Writes the fields of a message's body one after another: numbers in big-endian order, the rest after its length. */
public final class FieldWriter {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final DataOutputStream out = new DataOutputStream(bytes);

    /** An empty body. */
    public FieldWriter() {}

    /** Adds four bytes. */
    public FieldWriter number(int value) {
        try {
            out.writeInt(value);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return this;
    }

    /** Adds eight bytes. */
    public FieldWriter number(long value) {
        try {
            out.writeLong(value);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return this;
    }

    /** Adds one of two values. */
    public FieldWriter flag(boolean value) {
        return number(value ? 1 : 0);
    }

    /** Adds bytes and how many they are. */
    public FieldWriter bytes(byte[] value) {
        number(value.length);
        bytes.writeBytes(value);
        return this;
    }

    /** Adds a text in UTF-8. */
    public FieldWriter text(String value) {
        return bytes(value.getBytes(StandardCharsets.UTF_8));
    }

    /** Adds the length of a list, and what {@code write} writes for each element. */
    public <T extends @Nullable Object> FieldWriter list(List<T> elements, BiConsumer<FieldWriter, T> write) {
        number(elements.size());
        elements.forEach(element -> write.accept(this, element));
        return this;
    }

    byte[] toBytes() {
        return bytes.toByteArray();
    }
}
