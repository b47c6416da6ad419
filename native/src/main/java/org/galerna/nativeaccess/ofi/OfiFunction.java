package org.galerna.nativeaccess.ofi;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;

/**
 * A function of the library whose parameters, nine at most, and result are whole numbers or addresses. Few are exported; the
 * others are found in tables, by the object that they belong to. All are called through two method handles, for up to six and for
 * more parameters, because a function looks at no more registers, and at no more of the stack, than it has parameters. Of the
 * result of a function that returns an {@code int} only the lower half means something. Allocates nothing.
 *
 * @param address where it is
 */
record OfiFunction(MemorySegment address) {
    private static final int FEW = 6;
    private static final int MANY = 9;

    private static final MethodHandle CALL = link(FEW);
    private static final MethodHandle CALL_LONG = link(MANY);

    @SuppressWarnings("restricted") // the one purpose of this module
    private static MethodHandle link(int parameters) {
        ValueLayout[] layouts = new ValueLayout[parameters];
        Arrays.fill(layouts, JAVA_LONG);
        return Linker.nativeLinker().downcallHandle(FunctionDescriptor.of(JAVA_LONG, layouts));
    }

    /**
     * Binds an exported function.
     *
     * @throws java.util.NoSuchElementException if the library has none of that name
     */
    static OfiFunction of(SymbolLookup library, String name) {
        return new OfiFunction(library.findOrThrow(name));
    }

    /**
     * The function in a table of an object.
     *
     * @param object address of the object
     * @param table where in the object the address of the table is
     * @param entry where in the table the address of the function is
     */
    static OfiFunction of(long object, int table, int entry) {
        return new OfiFunction(MemorySegment.ofAddress(word(word(object + table) + entry)));
    }

    /** The 64 bits at an address. */
    @SuppressWarnings("restricted") // the objects are the library's
    static long word(long address) {
        return MemorySegment.ofAddress(address).reinterpret(Long.BYTES).get(JAVA_LONG, 0);
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

    /** Calls it with six parameters. */
    long call(long a, long b, long c, long d, long e, long f) {
        try {
            return (long) CALL.invokeExact(address, a, b, c, d, e, f);
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Calls it with nine parameters. */
    long call(long a, long b, long c, long d, long e, long f, long g, long h, long i) {
        try {
            return (long) CALL_LONG.invokeExact(address, a, b, c, d, e, f, g, h, i);
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
