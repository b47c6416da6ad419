package org.galerna.nativeaccess.library;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import org.galerna.nativeaccess.call.CFunction;
import org.galerna.nativeaccess.memory.RawMemory;

/**
 * A function of a library whose parameters, nine at most, and result are whole numbers or addresses; that of the C library itself
 * is a {@link CFunction}. All are called through two method handles, for up to six and for more parameters, because a function
 * looks at no more registers, and at no more of the stack, than it has parameters, and at the lower half of one for an {@code
 * int}. Of the result of a function that returns an {@code int} only the lower half means something. Allocates nothing. Any
 * thread may call as far as the library allows it.
 *
 * @param address where it is
 */
public record LibraryFunction(MemorySegment address) {
    private static final int FEW = 6;
    private static final int MANY = 9;

    private static final MethodHandle CALL = link(FEW);

    /** Linked when it is first called. */
    private static final class ManyParameters {
        static final MethodHandle CALL = link(MANY);
    }

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
    public static LibraryFunction of(SymbolLookup library, String name) {
        return new LibraryFunction(library.findOrThrow(name));
    }

    /**
     * The function in a table of an object of a library.
     *
     * @param object address of the object
     * @param table where in the object the address of the table is
     * @param entry where in the table the address of the function is
     */
    public static LibraryFunction of(long object, int table, int entry) {
        long entries = RawMemory.ALL.get(JAVA_LONG, object + table);
        return new LibraryFunction(MemorySegment.ofAddress(RawMemory.ALL.get(JAVA_LONG, entries + entry)));
    }

    /** Calls it with one parameter. */
    public long call(long a) {
        return call(a, 0, 0, 0, 0, 0);
    }

    /** Calls it with two parameters. */
    public long call(long a, long b) {
        return call(a, b, 0, 0, 0, 0);
    }

    /** Calls it with three parameters. */
    public long call(long a, long b, long c) {
        return call(a, b, c, 0, 0, 0);
    }

    /** Calls it with four parameters. */
    public long call(long a, long b, long c, long d) {
        return call(a, b, c, d, 0, 0);
    }

    /** Calls it with five parameters. */
    public long call(long a, long b, long c, long d, long e) {
        return call(a, b, c, d, e, 0);
    }

    /** Calls it with six parameters. */
    public long call(long a, long b, long c, long d, long e, long f) {
        try {
            return (long) CALL.invokeExact(address, a, b, c, d, e, f);
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Calls it with seven parameters. */
    public long call(long a, long b, long c, long d, long e, long f, long g) {
        return call(a, b, c, d, e, f, g, 0, 0);
    }

    /** Calls it with nine parameters. */
    public long call(long a, long b, long c, long d, long e, long f, long g, long h, long i) {
        try {
            return (long) ManyParameters.CALL.invokeExact(address, a, b, c, d, e, f, g, h, i);
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
