package org.galerna.messaging;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The types that a node knows, by class and by number. */
final class TypeTable {
    private TypeTable() {}

    static Map<Class<?>, MessageType<?>> byClass(List<MessageType<?>> known) {
        Map<Class<?>, MessageType<?>> types = new HashMap<>();
        for (MessageType<?> each : known) {
            MessageType<?> other = types.put(each.type(), each);
            if (other != null && other.id() != each.id()) {
                throw new IllegalArgumentException(each + " and " + other + " have the same class");
            }
        }
        return Map.copyOf(types);
    }

    static @Nullable MessageType<?>[] byNumber(List<MessageType<?>> known) {
        int length = known.stream().mapToInt(MessageType::id).max().orElse(-1) + 1;
        @Nullable MessageType<?>[] types = new MessageType<?>[length];
        for (MessageType<?> each : known) {
            MessageType<?> other = types[each.id()];
            if (other != null && other.type() != each.type()) {
                throw new IllegalArgumentException(each + " and " + other + " have the same number");
            }
            types[each.id()] = each;
        }
        return types;
    }

    static @Nullable Registration<?>[] registrations(List<Registration<?>> receivers) {
        int length = receivers.stream().mapToInt(each -> each.type().id()).max().orElse(-1) + 1;
        @Nullable Registration<?>[] registrations = new Registration<?>[length];
        for (Registration<?> each : receivers) {
            if (registrations[each.type().id()] != null) {
                throw new IllegalArgumentException(each.type() + " has two receivers");
            }
            registrations[each.type().id()] = each;
        }
        return registrations;
    }
}
