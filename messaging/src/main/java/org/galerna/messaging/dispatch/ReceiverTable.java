package org.galerna.messaging.dispatch;

import java.util.List;
import org.galerna.messaging.Handling;
import org.galerna.messaging.wire.TypeTable;
import org.jspecify.annotations.Nullable;

/** The types of messages that a node receives, by the numbers of the types. Any thread. */
public final class ReceiverTable {
    private final @Nullable Registration<?>[] registrations;
    private final @Nullable Registration<?>[] internal = new Registration<?>[TypeTable.MOST_INTERNAL];

    /**
     * A table.
     *
     * @throws IllegalArgumentException if a type has two receivers
     */
    public ReceiverTable(List<Registration<?>> receivers) {
        int length = receivers.stream()
                        .mapToInt(each -> each.type().id())
                        .filter(each -> !TypeTable.isInternal(each))
                        .max()
                        .orElse(-1)
                + 1;
        registrations = new Registration<?>[length];
        for (Registration<?> each : receivers) {
            if (TypeTable.isInternal(each.type().id())) {
                internal[each.type().id() - TypeTable.FIRST_INTERNAL_ID] = each;
                continue;
            }
            if (registrations[each.type().id()] != null) {
                throw new IllegalArgumentException(each.type() + " has two receivers");
            }
            registrations[each.type().id()] = each;
        }
    }

    /** Those of one handler. */
    @Nullable
    ReceiverBinding<?>[] bind() {
        return bind(registrations);
    }

    /** Those of one handler for what the library itself sends, from {@link TypeTable#FIRST_INTERNAL_ID} on. */
    @Nullable
    ReceiverBinding<?>[] bindInternal() {
        return bind(internal);
    }

    private static @Nullable ReceiverBinding<?>[] bind(@Nullable Registration<?>[] known) {
        @Nullable ReceiverBinding<?>[] bindings = new ReceiverBinding<?>[known.length];
        for (int number = 0; number < bindings.length; number++) {
            Registration<?> registration = known[number];
            bindings[number] = registration == null ? null : new ReceiverBinding<>(registration);
        }
        return bindings;
    }

    /** Whether messages of this type are received one after the other, in the order in which they were sent. */
    public boolean isOrdered(int number) {
        Registration<?> registration = number < registrations.length
                ? registrations[number]
                : TypeTable.isInternal(number) ? internal[number - TypeTable.FIRST_INTERNAL_ID] : null;
        return registration == null || registration.handling() == Handling.ORDERED;
    }
}
