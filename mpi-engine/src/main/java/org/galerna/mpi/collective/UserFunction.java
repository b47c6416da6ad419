package org.galerna.mpi.collective;

/** A function of the program that combines items. */
@FunctionalInterface
public interface UserFunction {
    /** Each item of {@code inOut} becomes that of {@code in} combined with it; offsets are in elements. */
    void apply(Object in, int inOffset, Object inOut, int inOutOffset, int count);
}
