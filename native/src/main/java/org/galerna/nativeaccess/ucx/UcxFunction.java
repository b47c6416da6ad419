package org.galerna.nativeaccess.ucx;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;

/**
 * A function of the library whose parameters, seven at most, and result are whole numbers or addresses. Those with up to six
 * parameters are called through one method handle that passes six numbers of 64 bits, because a function looks at no more
 * registers than it has parameters, and at the lower half of one for an {@code int}. Of the result of a function that returns an
 * {@code int} only the lower half means something. Allocates nothing.
 *
 * @param address where it is
 */
record UcxFunction(MemorySegment address) {
    private static final MethodHandle CALL =
            link(FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle CALL_WITH_SEVEN = link(FunctionDescriptor.of(
            JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));

    @SuppressWarnings("restricted") // the one purpose of this module
    private static MethodHandle link(FunctionDescriptor shape) {
        return Linker.nativeLinker().downcallHandle(shape);
    }

    /**
     * Binds a function.
     *
     * @throws java.util.NoSuchElementException if the library has none of that name
     */
    static UcxFunction of(SymbolLookup library, String name) {
        return new UcxFunction(library.findOrThrow(name));
    }

    /** Calls it with one parameter. */
    long call(long a) {
        return call(a, 0, 0, 0, 0, 0);
    }

    /** Calls it with two parameters. */
    long call(long a, long b) {
        return call(a, b, 0, 0, 0, 0);
    }

    /** Calls it with three parameters. */
    long call(long a, long b, long c) {
        return call(a, b, c, 0, 0, 0);
    }

    /** Calls it with four parameters. */
    long call(long a, long b, long c, long d) {
        return call(a, b, c, d, 0, 0);
    }

    /** Calls it with five parameters. */
    long call(long a, long b, long c, long d, long e) {
        return call(a, b, c, d, e, 0);
    }

    /** Calls it with six parameters. */
    long call(long a, long b, long c, long d, long e, long f) {
        try {
            return (long) CALL.invokeExact(address, a, b, c, d, e, f);
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Calls it with seven parameters. */
    long call(long a, long b, long c, long d, long e, long f, long g) {
        try {
            return (long) CALL_WITH_SEVEN.invokeExact(address, a, b, c, d, e, f, g);
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
