package org.galerna.nativeaccess.verbs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/**
 * A C function that sets things up: it is called seldom, so that clear errors matter more than nanoseconds. Three
 * conventions for errors exist, and each caller names the one of its function.
 */
final class NativeFunction {
    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));
    private static final NativeFunction DESCRIBE =
            new NativeFunction(Linker.nativeLinker().defaultLookup(), "strerror", ADDRESS, JAVA_INT);

    private final String name;
    private final MethodHandle handle;

    /**
     * Binds a function.
     *
     * @param result layout of what it returns
     * @param parameters layouts of what it takes
     * @throws java.util.NoSuchElementException if the library has none of that name
     */
    @SuppressWarnings("restricted") // the one purpose of this module
    NativeFunction(SymbolLookup library, String name, MemoryLayout result, MemoryLayout... parameters) {
        this.name = name;
        MethodHandle bound = Linker.nativeLinker()
                .downcallHandle(
                        library.findOrThrow(name),
                        FunctionDescriptor.of(result, parameters),
                        Linker.Option.captureCallState("errno"));
        this.handle = bound.asSpreader(1, Object[].class, parameters.length)
                .asType(bound.type()
                        .dropParameterTypes(1, bound.type().parameterCount())
                        .appendParameterTypes(Object[].class)
                        .changeReturnType(Object.class));
    }

    /** Outcome of a call. */
    private record Result(Object value, int errno) {}

    private Result call(Object... arguments) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            Object value = (Object) handle.invokeExact(state, arguments);
            return new Result(value, (int) ERRNO.get(state, 0L));
        } catch (Throwable impossible) {
            throw new IllegalStateException(name, impossible);
        }
    }

    /**
     * Calls a function that returns a pointer, and null with {@code errno} if it fails.
     *
     * @param subject what the message begins with, e.g. the adapter's name
     */
    MemorySegment pointer(String subject, Object... arguments) throws VerbsException {
        Result result = call(arguments);
        MemorySegment pointer = (MemorySegment) result.value;
        if (pointer.equals(MemorySegment.NULL)) {
            throw new VerbsException(subject + ": " + name, result.errno);
        }
        return pointer;
    }

    /** Calls a function that returns a pointer which may be null. */
    MemorySegment pointerOrNull(Object... arguments) {
        return (MemorySegment) call(arguments).value;
    }

    /** Calls a function that returns 0, or the number of the error. */
    void zero(String subject, Object... arguments) throws VerbsException {
        int error = (int) call(arguments).value;
        if (error != 0) {
            throw new VerbsException(subject + ": " + name, Math.abs(error));
        }
    }

    /** Calls a function that returns 0 or more, and −1 with {@code errno} if it fails. */
    int count(String subject, Object... arguments) throws VerbsException {
        Result result = call(arguments);
        int count = (int) result.value;
        if (count < 0) {
            throw new VerbsException(subject + ": " + name, result.errno);
        }
        return count;
    }

    /** Calls a function that returns 0 if it succeeds; otherwise its errno is the answer. */
    int errnoOf(Object... arguments) {
        Result result = call(arguments);
        return (int) result.value == 0 ? 0 : result.errno;
    }

    /** Calls a function that returns a number which is never an error. */
    short number(Object... arguments) {
        return (short) call(arguments).value;
    }

    /** Calls a function whose failure changes nothing for anybody: what it was to end is over in any case. */
    void ignoringFailure(Object... arguments) {
        call(arguments);
    }

    /** The system's words for an error. */
    static String describe(int errno) {
        return string(DESCRIBE.pointerOrNull(errno));
    }

    /** A text of the C library's or a driver's own. */
    @SuppressWarnings("restricted") // it is there as long as the library is
    static String string(MemorySegment text) {
        return text.equals(MemorySegment.NULL)
                ? "unknown"
                : text.reinterpret(Long.MAX_VALUE).getString(0);
    }

    /** Memory of the library, with the size that its structure has. */
    @SuppressWarnings("restricted") // the one purpose of this module
    static MemorySegment sized(MemorySegment structure, long bytes) {
        return structure.reinterpret(bytes);
    }
}
