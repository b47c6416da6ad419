package org.galerna.messaging.dispatch;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.galerna.messaging.LatencyHistogram;
import org.galerna.messaging.TypeStatistics;
import org.galerna.messaging.counters.SentCounts;
import org.galerna.messaging.wire.TypeTable;
import org.galerna.messaging.wire.WireType;
import org.jspecify.annotations.Nullable;

/** Adds up what the handlers of a node have counted of each type. */
public final class TypeCounts {
    private TypeCounts() {}

    /** Of the types that are received or were sent, by their numbers. */
    public static List<TypeStatistics> of(
            List<Deliverer> handlers, Map<Integer, SentCounts.Sum> sent, TypeTable known) {
        List<TypeStatistics> types = new ArrayList<>();
        int length = handlers.getFirst().bindings().length;
        NavigableSet<Integer> numbers = new TreeSet<>(sent.keySet());
        IntStream.range(0, length).forEach(numbers::add);
        for (int number : numbers) {
            int type = number;
            List<ReceiverBinding<?>> bindings = new ArrayList<>();
            for (Deliverer each : handlers) {
                @Nullable ReceiverBinding<?> binding = type < length ? each.bindings()[type] : null;
                if (binding != null) {
                    bindings.add(binding);
                }
            }
            WireType<?> ofNumber = known.find(type);
            if (ofNumber != null && (!bindings.isEmpty() || sent.containsKey(type))) {
                types.add(sum(ofNumber, bindings, sent.getOrDefault(type, new SentCounts.Sum(0, 0))));
            }
        }
        return List.copyOf(types);
    }

    private static TypeStatistics sum(WireType<?> type, List<ReceiverBinding<?>> bindings, SentCounts.Sum sent) {
        long[] handling = new long[LatencyHistogram.BUCKETS];
        bindings.forEach(each -> each.handling().addTo(handling));
        return new TypeStatistics(
                type.id(),
                type.type().getName(),
                sent.messages(),
                sent.bytes(),
                bindings.stream().mapToLong(ReceiverBinding::received).sum(),
                bindings.stream().mapToLong(ReceiverBinding::bytes).sum(),
                bindings.stream().mapToLong(ReceiverBinding::failures).sum(),
                new LatencyHistogram(handling));
    }
}
