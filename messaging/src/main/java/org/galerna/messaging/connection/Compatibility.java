package org.galerna.messaging.connection;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.galerna.messaging.MessagingException;
import org.galerna.messaging.handshake.Introduction;
import org.galerna.messaging.serialization.TypeLayout;
import org.galerna.messaging.wire.MessageContents;
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
    private final BiConsumer<MessageContents.Call, String> found;

    /**
     * Of a connection.
     *
     * @param found hears of each method that differs, once
     */
    Compatibility(int peer, Introduction.Peer said, BiConsumer<MessageContents.Call, String> found) {
        this.peer = peer;
        this.types = said.differences();
        this.offered = said.offered();
        this.mayDiffer = !types.isEmpty() || !offered.isEmpty();
        this.found = found;
    }

    /**
     * Looks at a message that is to be sent.
     *
     * @throws MessagingException if it, or what it asks for, is laid out otherwise at the other node
     */
    <T> void check(WireType<T> type, T message) {
        if (mayDiffer) {
            MessageContents<T> contents = type.contents();
            String difference = contents == null ? difference(type) : difference(contents.of(message));
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

    private @Nullable String difference(MessageContents.Content content) {
        return switch (content) {
            case MessageContents.Call call -> difference(call);
            case MessageContents.Subscription stream -> types.get(stream.type());
        };
    }

    private @Nullable String difference(MessageContents.Call call) {
        String difference = calls.get(call.key());
        if (difference == null) {
            difference = compare(call);
            if (calls.put(call.key(), difference) == null && !difference.equals(SAME)) {
                found.accept(call, difference);
            }
        }
        return difference.equals(SAME) ? null : difference;
    }

    private String compare(MessageContents.Call call) {
        TypeLayout other = offered.get(call.key());
        String difference =
                other == null ? null : call.layout().difference(other); // it says so if it does not offer it
        return difference == null ? SAME : call.refusal(peer, difference);
    }
}
