package org.galerna.messaging.wire;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The types that a node knows, by class and by number. Any thread. */
public final class TypeTable {
    /** Numbers from here on are of what the library itself sends. */
    public static final int FIRST_INTERNAL_ID = 65_001;

    /** As many numbers from {@link #FIRST_INTERNAL_ID} on may be used. */
    public static final int MOST_INTERNAL = 16;

    private final Map<Class<?>, WireType<?>> byClass;
    private final @Nullable WireType<?>[] byNumber;
    private final @Nullable WireType<?>[] internal = new WireType<?>[MOST_INTERNAL];

    /**
     * A table.
     *
     * @throws IllegalArgumentException if two types have the same class, or the same number
     */
    public TypeTable(List<WireType<?>> known) {
        this.byClass = byClass(known);
        this.byNumber =
                byNumber(known.stream().filter(each -> !isInternal(each.id())).toList());
        known.stream()
                .filter(each -> isInternal(each.id()))
                .forEach(each -> internal[each.id() - FIRST_INTERNAL_ID] = each);
    }

    /** Whether a type is one that the library itself sends. */
    public static boolean isInternal(int number) {
        return number >= FIRST_INTERNAL_ID && number < FIRST_INTERNAL_ID + MOST_INTERNAL;
    }

    private static Map<Class<?>, WireType<?>> byClass(List<WireType<?>> known) {
        Map<Class<?>, WireType<?>> types = new HashMap<>();
        for (WireType<?> each : known) {
            WireType<?> other = types.put(each.type(), each);
            if (other != null && other.id() != each.id()) {
                throw new IllegalArgumentException(each + " and " + other + " have the same class");
            }
        }
        return Map.copyOf(types);
    }

    private static @Nullable WireType<?>[] byNumber(List<WireType<?>> known) {
        int length = known.stream().mapToInt(WireType::id).max().orElse(-1) + 1;
        @Nullable WireType<?>[] types = new WireType<?>[length];
        for (WireType<?> each : known) {
            WireType<?> other = types[each.id()];
            if (other != null && other.type() != each.type()) {
                throw new IllegalArgumentException(each + " and " + other + " have the same number");
            }
            types[each.id()] = each;
        }
        return types;
    }

    /** The type that objects of this class are sent as. */
    @SuppressWarnings("unchecked") // filed under its class
    public <T> WireType<T> of(T message) {
        WireType<?> type = byClass.get(message.getClass());
        if (type == null) {
            throw new IllegalArgumentException(
                    "no message type is registered for " + message.getClass().getName());
        }
        return (WireType<T>) type;
    }

    /** All types, each once. */
    public List<WireType<?>> all() {
        return List.copyOf(byClass.values());
    }

    /** The type of a class. */
    public WireType<?> ofClass(Class<?> type) {
        WireType<?> known = byClass.get(type);
        if (known == null) {
            throw new IllegalArgumentException("no message type is registered for " + type.getName());
        }
        return known;
    }

    /** The type with this number. */
    public WireType<?> of(int number) {
        WireType<?> type = find(number);
        if (type == null) {
            throw new IllegalStateException("no message type has the number " + number);
        }
        return type;
    }

    /** The type with this number; null if there is none. */
    public @Nullable WireType<?> find(int number) {
        if (number < byNumber.length) {
            return byNumber[number];
        }
        return isInternal(number) ? internal[number - FIRST_INTERNAL_ID] : null;
    }
}
