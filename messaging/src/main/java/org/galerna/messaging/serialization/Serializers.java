package org.galerna.messaging.serialization;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Serializers for components of classes that a record's serializer cannot derive. They are never asked to write null.
 *
 * <pre>{@code
 * MessageType.record(1, 0, Order.class, Serializers.with(Money.class, new MoneySerializer()));
 * }</pre>
 */
public final class Serializers {
    /** None at all. */
    public static final Serializers NONE = new Serializers(Map.of());

    private final Map<Class<?>, Serializer<?>> byClass;

    private Serializers(Map<Class<?>, Serializer<?>> byClass) {
        this.byClass = byClass;
    }

    /** For components whose declared class is this one. */
    public static <T> Serializers with(Class<T> type, Serializer<T> serializer) {
        return NONE.and(type, serializer);
    }

    /** These, and one more; it replaces another one for the same class. */
    public <T> Serializers and(Class<T> type, Serializer<T> serializer) {
        Map<Class<?>, Serializer<?>> more = new HashMap<>(byClass);
        more.put(type, Objects.requireNonNull(serializer, "the serializer is null"));
        return new Serializers(Map.copyOf(more));
    }

    @Nullable
    Serializer<?> find(Class<?> type) {
        return byClass.get(type);
    }
}
