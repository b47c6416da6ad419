package org.galerna.collectives.reduction;

/**
 * A reduction of arrays: {@code inOut = in (op) inOut} for {@code count} elements, from the given indexes on.
 *
 * @param <T> an array type
 */
@FunctionalInterface
interface Loop<T> {
    void apply(T in, int inFrom, T inOut, int inOutFrom, int count);
}
