package org.galerna.messaging.connection;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.galerna.messaging.MessagingException;
import org.galerna.messaging.handshake.Introduction;
import org.galerna.messaging.serialization.TypeLayout;
import org.galerna.messaging.wire.CallLayouts;
import org.galerna.messaging.wire.WireType;
import org.jspecify.annotations.Nullable;

/** Refuses to send what the other node would read as something else, by what it has said of itself. Any thread. */
final class Compatibility {
    private static final String SAME = "";

    private final int peer;
    private final Map<Integer, String> types;
    private final Map<Long, TypeLayout> offered;
    private final boolean mayDiffer;
    private final Map<Long, String> calls = new ConcurrentHashMap<>(); // compared so far
    private final Consumer<String> found;

    /**
     * Of a connection.
     *
     * @param found hears of each method that differs, once
     */
    Compatibility(int peer, Introduction.Peer said, Consumer<String> found) {
        this.peer = peer;
        this.types = said.differences();
        this.offered = said.offered();
        this.mayDiffer = !types.isEmpty() || !offered.isEmpty();
        this.found = found;
    }

    /**
     * Looks at a message that is to be sent.
     *
     * @throws MessagingException if it is laid out otherwise at the other node
     */
    <T> void check(WireType<T> type, T message) {
        if (mayDiffer) {
            String difference = difference(type);
            CallLayouts<T> layouts = type.calls();
            if (difference == null && layouts != null) {
                difference = difference(layouts.called(message));
            }
            if (difference != null) {
                throw new MessagingException(MessagingException.Reason.INCOMPATIBLE, difference);
            }
        }
    }

    /** What is different in the messages of a type; null if nothing is, or it depends on the message. */
    @Nullable
    String difference(WireType<?> type) {
        return types.get(type.id());
    }

    private @Nullable String difference(CallLayouts.Called called) {
        String difference = calls.get(called.key());
        if (difference == null) {
            difference = compare(called);
            if (calls.put(called.key(), difference) == null && !difference.equals(SAME)) {
                found.accept(difference);
            }
        }
        return difference.equals(SAME) ? null : difference;
    }

    private String compare(CallLayouts.Called called) {
        TypeLayout other = offered.get(called.key());
        String difference =
                other == null ? null : called.layout().difference(other); // it says so if it does not offer it
        return difference == null
                ? SAME
                : "calls of " + called.name() + " are laid out otherwise at node " + peer + ": " + difference
                        + ". A method that changes in this way needs a new name";
    }
}
