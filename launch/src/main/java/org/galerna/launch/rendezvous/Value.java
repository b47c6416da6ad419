package org.galerna.launch.rendezvous;

import java.util.List;

/**
 * What a rank publishes.
 *
 * @param rank whose it is
 * @param bytes not copied
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares values
public record Value(int rank, String key, byte[] bytes) {
    /** Several values as the body of a message. */
    public static FieldWriter write(List<Value> values) {
        return new FieldWriter()
                .list(
                        values,
                        (fields, value) ->
                                fields.number(value.rank).text(value.key).bytes(value.bytes));
    }

    /** The reverse of {@link #write}. */
    public static List<Value> read(FieldReader fields) {
        return fields.list(each -> new Value(each.number(), each.text(), each.bytes()));
    }
}
