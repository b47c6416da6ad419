package org.galerna.launch.wireup;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import org.galerna.link.Wireup;
import org.jspecify.annotations.Nullable;

/**
 * All that a rank has published between two fences.
 *
 * @param previous number of the rank's last fence before this one that it has published something for; 0 if there is none
 * @param values by their keys
 */
record PublishedValues(int previous, Map<String, byte[]> values) {
    private static final int VERSION = 1;

    byte @Nullable [] value(String key) {
        return values.get(key);
    }

    /** In bytes: version, previous, number of values; for each its key (in modified UTF-8), its length and itself. */
    byte[] encode() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(VERSION);
            out.writeInt(previous);
            out.writeInt(values.size());
            for (Map.Entry<String, byte[]> each : values.entrySet()) {
                out.writeUTF(each.getKey());
                out.writeShort(each.getValue().length);
                out.write(each.getValue());
            }
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }

    /** The reverse of {@link #encode}. */
    static PublishedValues decode(byte[] bytes) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        int version = in.readByte();
        if (version != VERSION) {
            throw new IOException("values of version " + version + " where " + VERSION
                    + " is known: do all ranks use the same galerna.jar?");
        }
        int previous = in.readInt();
        int count = in.readInt();
        Map<String, byte[]> values = new HashMap<>();
        for (int index = 0; index < count; index++) {
            String key = in.readUTF();
            int length = in.readUnsignedShort();
            if (length > Wireup.MAXIMUM_VALUE || length > in.available()) {
                throw new IOException("value of key " + key + " has a length of " + length + " bytes");
            }
            values.put(key, in.readNBytes(length));
        }
        return new PublishedValues(previous, values);
    }
}
