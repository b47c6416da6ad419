package org.galerna.nativeaccess.call;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A call of Linux's kernel whose parameters, six at most, are whole numbers or addresses, and its result says whether it has failed.
 * Any thread may call; the call may block.
 *
 * <p>It goes through a {@link CallLibrary} where there is one, and needs neither segments nor method handles then: processes call in
 * this way at their start. Otherwise it is a {@link CFunction}.
 */
public final class KernelCall {
    private final int number;
    private final String name;
    /** Looked for when it is needed; any number of threads may do so. */
    private @Nullable CFunction function;

    private KernelCall(int number, String name) {
        this.number = number;
        this.name = name;
    }

    /**
     * A call.
     *
     * @param function its name in the C library, whose function takes the same parameters, or less
     * @param amd64 its number on x86-64
     */
    public static KernelCall of(String function, int amd64) {
        return new KernelCall(amd64, function);
    }

    /** Calls it without parameters, see {@link #call(long, long, long, long, long, long)}. */
    public long call() {
        return call(0, 0, 0, 0, 0, 0);
    }

    /** Calls it with one parameter, see {@link #call(long, long, long, long, long, long)}. */
    public long call(long a) {
        return call(a, 0, 0, 0, 0, 0);
    }

    /** Calls it with two parameters, see {@link #call(long, long, long, long, long, long)}. */
    public long call(long a, long b) {
        return call(a, b, 0, 0, 0, 0);
    }

    /** Calls it with three parameters, see {@link #call(long, long, long, long, long, long)}. */
    public long call(long a, long b, long c) {
        return call(a, b, c, 0, 0, 0);
    }

    /** Calls it with four parameters, see {@link #call(long, long, long, long, long, long)}. */
    public long call(long a, long b, long c, long d) {
        return call(a, b, c, d, 0, 0);
    }

    /** Calls it with six parameters; its result, or the negative of an error. */
    public long call(long a, long b, long c, long d, long e, long f) {
        return CallLibrary.isLoaded() ? DirectCall.system(number, a, b, c, d, e, f) : callFunction(a, b, c, d, e, f);
    }

    /** The same by the C library. Its functions may return an {@code int}, of which only the lower half means something. */
    long callFunction(long a, long b, long c, long d, long e, long f) {
        CFunction known = function;
        if (known == null) {
            known = CFunction.of(name);
            function = known;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = CFunction.state(arena);
            int result = (int) known.call(state, a, b, c, d, e, f);
            return result == -1 ? -CFunction.errno(state) : result;
        }
    }
}
