package org.galerna.nativeaccess.call;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * A function of the C library whose parameters, six at most, and result are whole numbers or addresses. Any thread may
 * call; the call may block.
 *
 * <p>All of them are called in one way, which passes six numbers of 64 bits and returns one: through a {@link CallLibrary} where there
 * is one, otherwise through a method handle. Linking a handle takes the virtual machine 20 to 60 ms of work, a fifth of what a rank
 * computes at its start. One way is right because of how Linux calls functions on x86-64, AArch64 and RISC-V: the first six such
 * parameters are in registers, also those after the dots of {@code open} or {@code syscall}; a function looks at no more
 * registers than it has parameters, and at the lower half of one for an {@code int}; and narrow ones that have been
 * extended by their sign, as Java's conversion to {@code long} does, are what RISC-V wants. Of the result of a function
 * that returns an {@code int} only the lower half means something.
 *
 * @param address where it is
 */
public record CFunction(MemorySegment address) {
    /** Takes the errors that nobody asks for; any number of threads may leave theirs here. */
    public static final MemorySegment IGNORED = state(Arena.global());

    /** The function that tells where the error of a thread is, if there is a library to call through; otherwise 0. */
    private static final long DIRECT = CallLibrary.isLoaded()
            ? find("__errno_location")
                    .map(function -> function.address().address())
                    .orElse(0L)
            : 0;

    /** Linked when there is no such library. */
    private static final class Handle {
        static final MethodHandle CALL = link();

        @SuppressWarnings("restricted") // the one purpose of this module
        private static MethodHandle link() {
            StructLayout state = Linker.Option.captureStateLayout();
            if (state.byteSize() != Integer.BYTES) {
                throw new IllegalStateException("not the state of Linux: " + state);
            }
            return Linker.nativeLinker()
                    .downcallHandle(
                            FunctionDescriptor.of(
                                    JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
                            Linker.Option.captureCallState("errno"));
        }
    }

    /**
     * The function of that name.
     *
     * @throws UnsatisfiedLinkError if the C library has none
     */
    public static CFunction of(String name) {
        return find(name).orElseThrow(() -> new UnsatisfiedLinkError("the C library has no function " + name));
    }

    /** The function of that name; empty if the C library has none. */
    public static Optional<CFunction> find(String name) {
        return Linker.nativeLinker().defaultLookup().find(name).map(CFunction::new);
    }

    /** Memory for the error of a call, for one call at a time. */
    public static MemorySegment state(Arena arena) {
        return arena.allocate(Integer.BYTES, Integer.BYTES);
    }

    /** The error that a call has left in such memory; meaningless unless its result says that it has failed. */
    public static int errno(MemorySegment state) {
        return state.get(JAVA_INT, 0);
    }

    /** An error in words, as the C library has them. */
    @SuppressWarnings("restricted") // the text is the C library's own
    public static String describe(int errno) {
        MemorySegment text =
                MemorySegment.ofAddress(Texts.STRERROR.call(IGNORED, errno)).reinterpret(Long.MAX_VALUE);
        // byte by byte: a copy to an array makes the virtual machine write a class in each start
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (long at = 0; text.get(JAVA_BYTE, at) != 0; at++) {
            bytes.write(text.get(JAVA_BYTE, at));
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static final class Texts {
        static final CFunction STRERROR = of("strerror");
    }

    /** Calls it without parameters; {@code state} takes the error, see {@link #state} and {@link #IGNORED}. */
    public long call(MemorySegment state) {
        return call(state, 0, 0, 0, 0, 0, 0);
    }

    /** Calls it with one parameter, see {@link #call(MemorySegment)}. */
    public long call(MemorySegment state, long a) {
        return call(state, a, 0, 0, 0, 0, 0);
    }

    /** Calls it with two parameters, see {@link #call(MemorySegment)}. */
    public long call(MemorySegment state, long a, long b) {
        return call(state, a, b, 0, 0, 0, 0);
    }

    /** Calls it with three parameters, see {@link #call(MemorySegment)}. */
    public long call(MemorySegment state, long a, long b, long c) {
        return call(state, a, b, c, 0, 0, 0);
    }

    /** Calls it with four parameters, see {@link #call(MemorySegment)}. */
    public long call(MemorySegment state, long a, long b, long c, long d) {
        return call(state, a, b, c, d, 0, 0);
    }

    /** Calls it with five parameters, see {@link #call(MemorySegment)}. */
    public long call(MemorySegment state, long a, long b, long c, long d, long e) {
        return call(state, a, b, c, d, e, 0);
    }

    /** Calls it with six parameters, see {@link #call(MemorySegment)}. */
    public long call(MemorySegment state, long a, long b, long c, long d, long e, long f) {
        return DIRECT != 0 ? callDirectly(state, a, b, c, d, e, f) : callByHandle(state, a, b, c, d, e, f);
    }

    /** Whether there is a library to call through. */
    static boolean isDirect() {
        return DIRECT != 0;
    }

    long callDirectly(MemorySegment state, long a, long b, long c, long d, long e, long f) {
        try {
            return DirectCall.call(address.address(), DIRECT, state.address(), a, b, c, d, e, f);
        } finally {
            Reference.reachabilityFence(state);
        }
    }

    long callByHandle(MemorySegment state, long a, long b, long c, long d, long e, long f) {
        try {
            return (long) Handle.CALL.invokeExact(address, state, a, b, c, d, e, f);
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
