package org.galerna.memory;

/**
 * A copy of short runs between arrays, as a loop {@linkplain StridedLoopGenerator generated} for one {@link Shape}. Any
 * thread may use it.
 */
@FunctionalInterface
interface StridedLoop {
    /** Copies {@code runs} runs; the first begins at element {@code fromStart} and goes to element {@code toStart}. */
    void copy(Object from, int fromStart, Object to, int toStart, int runs);

    /** What a loop is generated for: the class of both arrays, and lengths in elements. */
    record Shape(Class<?> array, int length, int fromStride, int toStride) {}
}
