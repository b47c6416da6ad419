package org.galerna.messaging.dispatch;

import java.util.ArrayList;
import java.util.List;
import org.galerna.messaging.LatencyHistogram;
import org.galerna.messaging.TypeStatistics;
import org.jspecify.annotations.Nullable;

/** Adds up what the handlers of a node have counted of each type. */
public final class TypeCounts {
    private TypeCounts() {}

    /** Of the types that are received, by their numbers. */
    public static List<TypeStatistics> of(List<Deliverer> handlers) {
        List<TypeStatistics> types = new ArrayList<>();
        int length = handlers.getFirst().bindings().length;
        for (int number = 0; number < length; number++) {
            int type = number;
            List<ReceiverBinding<?>> bindings = new ArrayList<>();
            for (Deliverer each : handlers) {
                @Nullable ReceiverBinding<?> binding = each.bindings()[type];
                if (binding != null) {
                    bindings.add(binding);
                }
            }
            if (!bindings.isEmpty()) {
                types.add(sum(bindings));
            }
        }
        return List.copyOf(types);
    }

    private static TypeStatistics sum(List<ReceiverBinding<?>> bindings) {
        long[] handling = new long[LatencyHistogram.BUCKETS];
        bindings.forEach(each -> each.handling().addTo(handling));
        ReceiverBinding<?> first = bindings.getFirst();
        return new TypeStatistics(
                first.type().id(),
                first.type().type().getName(),
                bindings.stream().mapToLong(ReceiverBinding::received).sum(),
                bindings.stream().mapToLong(ReceiverBinding::bytes).sum(),
                bindings.stream().mapToLong(ReceiverBinding::failures).sum(),
                new LatencyHistogram(handling));
    }
}
