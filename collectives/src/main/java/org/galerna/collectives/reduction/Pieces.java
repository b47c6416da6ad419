package org.galerna.collectives.reduction;

import java.lang.reflect.Array;

/**
 * Where a thread combines what does not lie in two arrays at the same indexes, piece by piece.
 *
 * @param length numbers of each array
 * @param <T> an array type
 */
record Pieces<T>(T left, T right, int length) {
    /** Bytes of an array: both stay in the first cache. */
    private static final int BYTES = 4096;

    /** Those of each thread. */
    static <T> ThreadLocal<Pieces<T>> ofThreads(Class<T> type, int numberSize) {
        int length = BYTES / numberSize;
        return ThreadLocal.withInitial(() -> new Pieces<>(newArray(type, length), newArray(type, length), length));
    }

    private static <T> T newArray(Class<T> type, int length) {
        return type.cast(Array.newInstance(type.componentType(), length));
    }
}
