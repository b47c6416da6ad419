package org.galerna.launch.rendezvous;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A value that all ranks of a job have published under one key, as their agents tell them at a fence. So no rank of a large job asks for as
 * many values as there are ranks, and no agent answers all of them.
 *
 * @param bytes not copied; null if the ranks have published the same before, and one has published another value now
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares values
public record CommonValue(String key, byte @Nullable [] bytes) {
    /** Several values as the body of a message. */
    public static FieldWriter write(List<CommonValue> values) {
        return new FieldWriter().list(values, (fields, value) -> value.write(fields));
    }

    private void write(FieldWriter fields) {
        fields.text(key).flag(bytes != null);
        if (bytes != null) {
            fields.bytes(bytes);
        }
    }

    /** The reverse of {@link #write(List)}. */
    static List<CommonValue> read(FieldReader fields) {
        return fields.list(each -> new CommonValue(each.text(), each.flag() ? each.bytes() : null));
    }

    /** Keeps the value by its key, or forgets the one before. */
    void putTo(Map<String, byte[]> values) {
        if (bytes == null) {
            values.remove(key);
        } else {
            values.put(key, bytes);
        }
    }
}
