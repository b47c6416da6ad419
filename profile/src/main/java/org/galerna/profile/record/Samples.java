package org.galerna.profile.record;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * Every {@code stride}-th of what is numbered, in a bounded number: when there is no more room, every second one is dropped and the
 * stride doubles. Two ranks that number alike keep the same ones. Not thread-safe.
 */
final class Samples<T> {
    private static final int MOST = 1 << 15;

    private final ToIntFunction<T> number;
    private final List<T> kept = new ArrayList<>();
    private int stride = 1;

    Samples(ToIntFunction<T> number) {
        this.number = number;
    }

    /** Whether the one with this number is to be {@linkplain #add kept}; makes room for it. */
    boolean takes(int numbered) {
        if (numbered >= 0 && isOfStride(numbered) && kept.size() == MOST) {
            stride *= 2;
            kept.removeIf(each -> !isOfStride(number.applyAsInt(each)));
        }
        return numbered >= 0 && isOfStride(numbered);
    }

    private boolean isOfStride(int numbered) {
        return (numbered & (stride - 1)) == 0;
    }

    void add(T sample) {
        kept.add(sample);
    }

    List<T> kept() {
        return kept;
    }

    int stride() {
        return stride;
    }
}
