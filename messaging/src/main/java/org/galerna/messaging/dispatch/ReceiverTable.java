package org.galerna.messaging.dispatch;

import java.util.List;
import org.galerna.messaging.Handling;
import org.jspecify.annotations.Nullable;

/** The types of messages that a node receives, by the numbers of the types. Any thread. */
public final class ReceiverTable {
    private final @Nullable Registration<?>[] registrations;

    /**
     * A table.
     *
     * @throws IllegalArgumentException if a type has two receivers
     */
    public ReceiverTable(List<Registration<?>> receivers) {
        int length = receivers.stream().mapToInt(each -> each.type().id()).max().orElse(-1) + 1;
        registrations = new Registration<?>[length];
        for (Registration<?> each : receivers) {
            if (registrations[each.type().id()] != null) {
                throw new IllegalArgumentException(each.type() + " has two receivers");
            }
            registrations[each.type().id()] = each;
        }
    }

    /** Those of one handler. */
    @Nullable
    ReceiverBinding<?>[] bind() {
        @Nullable ReceiverBinding<?>[] bindings = new ReceiverBinding<?>[registrations.length];
        for (int number = 0; number < bindings.length; number++) {
            Registration<?> registration = registrations[number];
            bindings[number] = registration == null ? null : new ReceiverBinding<>(registration);
        }
        return bindings;
    }

    /** Whether messages of this type are received one after the other, in the order in which they were sent. */
    public boolean isOrdered(int number) {
        Registration<?> registration = number < registrations.length ? registrations[number] : null;
        return registration == null || registration.handling() == Handling.ORDERED;
    }
}
