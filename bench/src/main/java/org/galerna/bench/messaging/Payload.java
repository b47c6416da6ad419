package org.galerna.bench.messaging;

import java.util.Arrays;
import org.galerna.messaging.serialization.Exporter;
import org.galerna.messaging.serialization.Importer;
import org.galerna.messaging.serialization.Serializer;
import org.jspecify.annotations.Nullable;

/**
 * What the benchmarks send, used again and again: short ones are fields of eight bytes and single ones, written one after
 * the other as those of any object; long ones are an array.
 */
final class Payload {
    private static final int LONGEST_OF_FIELDS = 1024;

    int length;
    private long[] fields = new long[LONGEST_OF_FIELDS / Long.BYTES];
    private byte[] content = new byte[0];

    Payload() {}

    /** Makes it so long, in bytes. Never zeros. */
    Payload resize(int bytes) {
        length = bytes;
        Arrays.setAll(fields, each -> each * 0x9e3779b97f4a7c15L + 1);
        ensure(bytes);
        Arrays.fill(content, (byte) 'a');
        return this;
    }

    private void ensure(int bytes) {
        if (content.length < bytes) {
            content = new byte[bytes];
        }
    }

    static final class Codec implements Serializer<Payload> {
        @Override
        public void write(Payload value, Exporter out) {
            int length = value.length;
            if (length > LONGEST_OF_FIELDS) {
                out.writeBytes(value.content, 0, length);
                return;
            }
            long[] fields = value.fields;
            for (int field = 0; field < length >> 3; field++) {
                out.writeLong(fields[field]);
            }
            for (int rest = length & 7; rest > 0; rest--) {
                out.writeByte((byte) rest);
            }
        }

        @Override
        public Payload read(Importer in, @Nullable Payload reused) {
            Payload value = reused != null ? reused : new Payload();
            int length = (int) in.remaining();
            value.length = length;
            if (length > LONGEST_OF_FIELDS) {
                value.ensure(length);
                in.readBytes(value.content, 0, length);
                return value;
            }
            long[] fields = value.fields;
            for (int field = 0; field < length >> 3; field++) {
                fields[field] = in.readLong();
            }
            for (int rest = length & 7; rest > 0; rest--) {
                fields[0] += in.readByte();
            }
            return value;
        }
    }
}
