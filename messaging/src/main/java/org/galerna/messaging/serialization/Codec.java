package org.galerna.messaging.serialization;

import org.jspecify.annotations.Nullable;

/**
 * Writes and reads values of one type within a record. It writes one byte at least, for null too, so that a count of values
 * can be compared with the bytes that are left.
 */
interface Codec<T> {
    /** Writes a value or null. */
    void write(Exporter out, @Nullable T value);

    /** Reads what {@link #write} has written. */
    @Nullable
    T read(Importer in);

    /** Writes one value. */
    @FunctionalInterface
    interface Writer<T extends @Nullable Object> {
        /** Writes a value. */
        void write(Exporter out, T value);
    }

    /** Reads one value. */
    @FunctionalInterface
    interface Reader<T extends @Nullable Object> {
        /** Reads a value. */
        T read(Importer in);
    }

    /** Of two functions that know nothing of null: a byte before the value says whether there is one. */
    static <T> Codec<T> nullable(Writer<T> writer, Reader<T> reader) {
        return new Codec<>() {
            @Override
            public void write(Exporter out, @Nullable T value) {
                if (value == null) {
                    out.writeByte((byte) 0);
                } else {
                    out.writeByte((byte) 1);
                    writer.write(out, value);
                }
            }

            @Override
            public @Nullable T read(Importer in) {
                return in.readPresence() ? reader.read(in) : null;
            }
        };
    }

    /** Of two functions that write and read null by themselves. */
    static <T> Codec<T> of(Codec.Writer<@Nullable T> writer, Codec.Reader<@Nullable T> reader) {
        return new Codec<>() {
            @Override
            public void write(Exporter out, @Nullable T value) {
                writer.write(out, value);
            }

            @Override
            public @Nullable T read(Importer in) {
                return reader.read(in);
            }
        };
    }
}
