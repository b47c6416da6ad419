package org.galerna.nativeaccess.thread;

import java.lang.ref.Reference;
import java.util.BitSet;
import java.util.Optional;
import org.galerna.nativeaccess.call.CallMemory;
import org.galerna.nativeaccess.call.KernelCall;
import org.galerna.nativeaccess.call.Platform;
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

    private static final KernelCall GET = KernelCall.of("sched_getaffinity", 204);
    private static final KernelCall SET = KernelCall.of("sched_setaffinity", 203);
    private static final KernelCall CURRENT_THREAD = KernelCall.of("gettid", 186);

    private static final @Nullable String UNAVAILABLE = Platform.obstacle(
                    "threads can be bound to processors on Linux only")
            .orElse(null);
    private static final Optional<Affinity> INSTANCE = UNAVAILABLE == null ? bind() : Optional.empty();

    private Affinity() {}

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
        for (int bytes = LEAST_BYTES; bytes <= MOST_BYTES; bytes *= 2) {
            CallMemory mask = CallMemory.allocate(bytes);
            try {
                if (GET.call(thread, bytes, mask.address()) >= 0) {
                    return BitSet.valueOf(mask.buffer().asLongBuffer());
                }
            } finally {
                Reference.reachabilityFence(mask);
            }
        }
        return new BitSet();
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
        CallMemory mask = CallMemory.allocate(words.length * Long.BYTES);
        try {
            mask.buffer().asLongBuffer().put(words);
            return SET.call(thread, (long) words.length * Long.BYTES, mask.address()) == 0;
        } finally {
            Reference.reachabilityFence(mask);
        }
    }

    /** The system's number of the calling thread. */
    public int currentThread() {
        return (int) CURRENT_THREAD.call();
    }

    private static Optional<Affinity> bind() {
        try {
            Affinity affinity = new Affinity();
            // a sandbox may forbid the call although the function is there
            return affinity.get(CALLER).isEmpty() ? Optional.empty() : Optional.of(affinity);
        } catch (UnsatisfiedLinkError missing) {
            return Optional.empty();
        }
    }
}
