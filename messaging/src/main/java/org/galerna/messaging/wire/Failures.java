package org.galerna.messaging.wire;

import java.util.List;
import org.galerna.messaging.MessagingException.Reason;
import org.galerna.messaging.serialization.Exporter;
import org.galerna.messaging.serialization.Importer;
import org.galerna.messaging.serialization.Serializer;
import org.jspecify.annotations.Nullable;

/** How a node that was asked says why there is no response: a text, whose version is the kind of failure. */
public final class Failures {
    /** By the numbers with which they travel. */
    private static final List<Reason> REASONS =
            List.of(Reason.REMOTE, Reason.UNANSWERABLE, Reason.NOT_OFFERED, Reason.FORBIDDEN, Reason.OVERLOADED);

    private static final Serializer<String> TEXT = new Serializer<>() {
        @Override
        public void write(String value, Exporter out) {
            out.writeString(value);
        }

        @Override
        public String read(Importer in, @Nullable String reused) {
            return String.valueOf(in.readString());
        }
    };

    private static final List<WireType<String>> TYPES = REASONS.stream()
            .map(each -> new WireType<>(TypeTable.FIRST_INTERNAL_ID, REASONS.indexOf(each), String.class, TEXT, null))
            .toList();

    private Failures() {}

    /** The type of a text that says of a failure of this kind. */
    public static WireType<String> type(Reason kind) {
        return TYPES.get(REASONS.indexOf(kind));
    }

    /** The kind of a failure that has come. */
    public static Reason reason(int number) {
        return number < REASONS.size() ? REASONS.get(number) : Reason.REMOTE;
    }
}
