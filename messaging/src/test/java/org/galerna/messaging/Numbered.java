package org.galerna.messaging;

import org.galerna.messaging.serialization.Exporter;
import org.galerna.messaging.serialization.Importer;
import org.galerna.messaging.serialization.Serializer;
import org.jspecify.annotations.Nullable;

/** A message of 64 bytes that can be told from any other and from a damaged one. Used again and again. */
final class Numbered {
    static final MessageType<Numbered> TYPE =
            MessageType.of(3, 0, Numbered.class, new Codec()).reusing(Numbered::new);

    int sender;
    int length = 36;
    long number;
    private long sum;

    Numbered() {}

    private long checksum() {
        return (number + 1) * 0x9e3779b97f4a7c15L + sender;
    }

    boolean isIntact() {
        return sum == checksum();
    }

    private static final class Codec implements Serializer<Numbered> {
        @Override
        public void write(Numbered value, Exporter out) {
            out.writeInt(value.sender);
            out.writeLong(value.number);
            out.writeLong(value.checksum());
            out.writeInt(value.length);
            for (int each = 0; each < value.length; each += Integer.BYTES) {
                out.writeInt((int) value.number + each);
            }
            out.writeInt(value.sender);
        }

        @Override
        public Numbered read(Importer in, @Nullable Numbered reused) {
            Numbered value = reused != null ? reused : new Numbered();
            value.sender = in.readInt();
            value.number = in.readLong();
            value.sum = in.readLong();
            value.length = in.readInt();
            for (int each = 0; each < value.length; each += Integer.BYTES) {
                if (in.readInt() != (int) value.number + each) {
                    value.sum = ~value.checksum();
                }
            }
            if (in.readInt() != value.sender || in.hasRemaining()) {
                value.sum = ~value.checksum();
            }
            return value;
        }
    }
}
