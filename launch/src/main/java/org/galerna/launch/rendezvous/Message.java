package org.galerna.launch.rendezvous;

import java.nio.charset.StandardCharsets;

/**
 * What ranks, agents and the launcher say to each other.
 *
 * @param rank the rank it is about; 0 if it is about none
 * @param number a number, as {@link Kind} says
 * @param body the rest; not copied, not to be changed
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares messages
public record Message(Kind kind, int rank, long number, byte[] body) {
    private static final byte[] NOTHING = {};

    /** A message that says nothing but its kind. */
    public static Message of(Kind kind) {
        return new Message(kind, 0, 0, NOTHING);
    }

    /** A message without a body. */
    public static Message of(Kind kind, int rank, long number) {
        return new Message(kind, rank, number, NOTHING);
    }

    /** A message whose body is a text. */
    public static Message of(Kind kind, int rank, long number, String text) {
        return new Message(kind, rank, number, text.getBytes(StandardCharsets.UTF_8));
    }

    /** A message whose body consists of fields. */
    public static Message of(Kind kind, int rank, long number, FieldWriter fields) {
        return new Message(kind, rank, number, fields.toBytes());
    }

    /** The body as a text. */
    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    /** The body as fields. */
    public FieldReader fields() {
        return new FieldReader(body);
    }

    @Override
    public String toString() {
        // not the body: it may carry the job's key
        return kind + " rank " + rank + ", " + number + ", " + body.length + " bytes";
    }
}
