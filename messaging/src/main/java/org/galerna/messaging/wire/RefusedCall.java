package org.galerna.messaging.wire;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import org.galerna.messaging.serialization.Exporter;
import org.galerna.messaging.serialization.Importer;
import org.galerna.messaging.serialization.MalformedMessageException;
import org.galerna.messaging.serialization.Serializer;
import org.galerna.messaging.serialization.TypeLayout;
import org.jspecify.annotations.Nullable;

/**
 * Tells a node that one of its methods is not called, because it would read the call wrongly. That node does not know how others
 * call it, and can log it then, too.
 *
 * @param key of the method
 * @param layout of its arguments and its result where it would have been called
 */
public record RefusedCall(long key, TypeLayout layout) {
    /** Its type. */
    public static final WireType<RefusedCall> TYPE = new WireType<>(
            TypeTable.FIRST_INTERNAL_ID + 11,
            0,
            RefusedCall.class,
            new Serializer<>() {
                @Override
                public void write(RefusedCall refused, Exporter out) {
                    out.writeLong(refused.key);
                    out.writeByteArray(refused.layout.encode());
                }

                @Override
                public RefusedCall read(Importer in, @Nullable RefusedCall reused) {
                    long key = in.readLong();
                    byte[] layout = in.readByteArray();
                    if (layout == null) {
                        throw new MalformedMessageException("a call is refused for no reason");
                    }
                    try {
                        return new RefusedCall(
                                key, TypeLayout.decode(new DataInputStream(new ByteArrayInputStream(layout))));
                    } catch (IOException refusal) {
                        throw new MalformedMessageException(String.valueOf(refusal.getMessage()));
                    }
                }
            },
            null);
}
