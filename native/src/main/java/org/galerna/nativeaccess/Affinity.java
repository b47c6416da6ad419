package org.galerna.nativeaccess;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.BitSet;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Linux' {@code sched_setaffinity(2)} and its kin: which processors the scheduler may run a thread on. Processors are
 * numbered as in {@code /proc/cpuinfo}. Any thread may call; a virtual thread gets and sets what belongs to its carrier.
 */
public final class Affinity {
    /** The calling thread, where a thread's number is asked for. */
    public static final int CALLER = 0;

    /** Masks for 1024 processors, as the C library has them. */
    private static final int LEAST_BYTES = 128;

    /** Far beyond what Linux can be configured for; where looking for the kernel's size of a mask ends. */
    private static final int MOST_BYTES = 1 << 16;

    private static final @Nullable String UNAVAILABLE = reason();
    private static final Optional<Affinity> INSTANCE = UNAVAILABLE == null ? bind() : Optional.empty();

    private final MethodHandle get;
    private final MethodHandle set;
    private final MethodHandle currentCpu;
    private final MethodHandle currentThread;

    @SuppressWarnings("restricted") // the one purpose of this module
    private Affinity(Linker linker) {
        FunctionDescriptor mask = FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS);
        this.get = linker.downcallHandle(symbol(linker, "sched_getaffinity"), mask);
        this.set = linker.downcallHandle(symbol(linker, "sched_setaffinity"), mask);
        FunctionDescriptor number = FunctionDescriptor.of(JAVA_INT);
        this.currentCpu = linker.downcallHandle(symbol(linker, "sched_getcpu"), number);
        this.currentThread = linker.downcallHandle(symbol(linker, "gettid"), number);
    }

    /** The binding; empty where there is none, see {@link #unavailable}. */
    public static Optional<Affinity> instance() {
        return INSTANCE;
    }

    /** Why threads cannot be bound to processors here, in one sentence; empty if they can. */
    public static Optional<String> unavailable() {
        return INSTANCE.isPresent()
                ? Optional.empty()
                : Optional.of(UNAVAILABLE == null ? "the C library cannot bind threads to processors" : UNAVAILABLE);
    }

    /**
     * The processors that a thread may run on.
     *
     * @param thread the system's number of a thread of this process, or {@link #CALLER}
     * @return the mask; empty if there is no such thread any more
     */
    public BitSet get(int thread) {
        try (Arena arena = Arena.ofConfined()) {
            for (int bytes = LEAST_BYTES; bytes <= MOST_BYTES; bytes *= 2) {
                MemorySegment mask = arena.allocate(bytes, Long.BYTES);
                if ((int) get.invokeExact(thread, (long) bytes, mask) >= 0) {
                    return BitSet.valueOf(mask.toArray(ValueLayout.JAVA_LONG));
                }
            }
            return new BitSet();
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /**
     * Lets a thread run on these processors alone, from now on. Threads that it starts inherit that.
     *
     * @param thread the system's number of a thread of this process, or {@link #CALLER}
     * @param cpus at least one that the process may use
     * @return false if nothing was changed: there is no such thread any more, or none of the processors may be used
     */
    public boolean set(int thread, BitSet cpus) {
        long[] words = cpus.toLongArray();
        if (words.length == 0) {
            return false;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment mask = arena.allocateFrom(ValueLayout.JAVA_LONG, words);
            return (int) set.invokeExact(thread, mask.byteSize(), mask) == 0;
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** The processor that the calling thread is running on at this moment. */
    public int currentCpu() {
        return call(currentCpu);
    }

    /** The system's number of the calling thread. */
    public int currentThread() {
        return call(currentThread);
    }

    private static int call(MethodHandle function) {
        try {
            return (int) function.invokeExact();
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static @Nullable String reason() {
        if (!System.getProperty("os.name", "").toLowerCase(Locale.ROOT).startsWith("linux")) {
            return "threads can be bound to processors on Linux only";
        }
        return Affinity.class.getModule().isNativeAccessEnabled()
                ? null
                : "native access is not granted: start Java with --enable-native-access=ALL-UNNAMED";
    }

    private static Optional<Affinity> bind() {
        try {
            Affinity affinity = new Affinity(Linker.nativeLinker());
            // a sandbox may forbid the call although the function is there
            return affinity.get(CALLER).isEmpty() ? Optional.empty() : Optional.of(affinity);
        } catch (UnsatisfiedLinkError missing) {
            return Optional.empty();
        }
    }

    private static MemorySegment symbol(Linker linker, String name) {
        return linker.defaultLookup().find(name).orElseThrow(() -> new UnsatisfiedLinkError(name));
    }
}
