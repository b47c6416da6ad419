package org.galerna.nativeaccess.call;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/**
 * A function of the C library whose parameters, six at most, and result are whole numbers or addresses. Any thread may
 * call; the call may block.
 *
 * <p>All of them are called through one method handle that passes six numbers of 64 bits and returns one. Linking a handle
 * of its own for each shape takes the virtual machine some 15 ms of work each; those of a rank were a third of all that
 * starting a job computes. It is right because of how Linux calls functions on x86-64, AArch64 and RISC-V: the first six such
 * parameters are in registers, also those after the dots of {@code open} or {@code syscall}; a function looks at no more
 * registers than it has parameters, and at the lower half of one for an {@code int}; and narrow ones that have been
 * extended by their sign, as Java's conversion to {@code long} does, are what RISC-V wants. Of the result of a function
 * that returns an {@code int} only the lower half means something.
 *
 * @param address where it is
 */
public record CFunction(MemorySegment address) {
    /** Takes the errors that nobody asks for; any number of threads may leave theirs here. */
    public static final MemorySegment IGNORED;

    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final long ERRNO = STATE.byteOffset(PathElement.groupElement("errno"));
    private static final MethodHandle CALL;

    static {
        IGNORED = Arena.global().allocate(STATE);
        CALL = link();
    }

    @SuppressWarnings("restricted") // the one purpose of this module
    private static MethodHandle link() {
        return Linker.nativeLinker()
                .downcallHandle(
                        FunctionDescriptor.of(
                                JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
                        Linker.Option.captureCallState("errno"));
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
        return arena.allocate(STATE);
    }

    /** The error that a call has left in such memory; meaningless unless its result says that it has failed. */
    public static int errno(MemorySegment state) {
        return state.get(JAVA_INT, ERRNO);
    }

    /** An error in words, as the C library has them. */
    @SuppressWarnings("restricted") // the text is the C library's own
    public static String describe(int errno) {
        return MemorySegment.ofAddress(Texts.STRERROR.call(IGNORED, errno))
                .reinterpret(Long.MAX_VALUE)
                .getString(0);
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
        try {
            return (long) CALL.invokeExact(address, state, a, b, c, d, e, f);
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
