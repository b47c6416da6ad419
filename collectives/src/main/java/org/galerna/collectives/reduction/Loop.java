package org.galerna.collectives.reduction;

/**
 * A reduction of arrays: {@code inOut[i] = in[i] (op) inOut[i]} for the numbers from one index up to another. One index for
 * both arrays, because the compiler makes vectors of such loops alone: with one for each array it would have to know that
 * they are not the same array (JDK 25).
 *
 * @param <T> an array type
 */
@FunctionalInterface
interface Loop<T> {
    void apply(T in, T inOut, int from, int to);
}
