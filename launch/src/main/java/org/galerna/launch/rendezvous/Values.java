package org.galerna.launch.rendezvous;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The question for the values that several ranks have published under one key, and the answer. One message has them all: a rank of a
 * large job wants several values of each other one, and its agent answers all ranks of its host at once.
 *
 * @param first the first rank
 * @param count number of ranks, 1 at least
 */
public record Values(int first, int count, String key) {
    /** The question of a rank. */
    Message question(int rank) {
        return Message.of(Kind.GET, rank, first, new FieldWriter().number(count).text(key));
    }

    /** The question in a message. */
    public static Values of(Message message) {
        FieldReader fields = message.fields();
        return new Values((int) message.number(), fields.number(), fields.text());
    }

    /**
     * The answer to a rank.
     *
     * @param values one for each rank, null where it has published none
     */
    public static Message answer(int rank, List<byte @Nullable []> values) {
        return Message.of(Kind.VALUES, rank, 0, new FieldWriter().list(values, Values::write));
    }

    private static void write(FieldWriter fields, byte @Nullable [] value) {
        fields.flag(value != null);
        if (value != null) {
            fields.bytes(value);
        }
    }

    /** The values in an answer. */
    static List<byte @Nullable []> read(Message answer) {
        return answer.fields().list(fields -> fields.flag() ? fields.bytes() : null);
    }
}
