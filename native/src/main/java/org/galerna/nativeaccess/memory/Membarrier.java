package org.galerna.nativeaccess.memory;

import java.util.Optional;
import org.galerna.nativeaccess.call.SystemCall;

/**
 * Linux' {@code membarrier(2)}: a full memory barrier on every running thread of this process, or of all processes that
 * have agreed to it, at the caller's expense.
 */
public final class Membarrier {
    private static final int QUERY = 0;
    private static final int GLOBAL_EXPEDITED = 1 << 1;
    private static final int REGISTER_GLOBAL_EXPEDITED = 1 << 2;
    private static final int PRIVATE_EXPEDITED = 1 << 3;
    private static final int REGISTER_PRIVATE_EXPEDITED = 1 << 4;

    private static final Optional<Membarrier> INSTANCE = detect(PRIVATE_EXPEDITED, REGISTER_PRIVATE_EXPEDITED);

    private final SystemCall call;
    private final int command;

    private Membarrier(SystemCall call, int command) {
        this.call = call;
        this.command = command;
    }

    /** The barrier on this process; empty where the system has none or native access is not granted. */
    public static Optional<Membarrier> instance() {
        return INSTANCE;
    }

    /**
     * The barrier on every process of this host that has called this method: from the call on, threads of this process
     * can be made to execute barriers by others, and it can make theirs. Empty as {@link #instance}.
     */
    public static Optional<Membarrier> betweenProcesses() {
        return BetweenProcesses.INSTANCE;
    }

    /** Registers this process when it is first asked for, and not before. */
    private static final class BetweenProcesses {
        static final Optional<Membarrier> INSTANCE = detect(GLOBAL_EXPEDITED, REGISTER_GLOBAL_EXPEDITED);
    }

    /** Executes the barrier; one to two microseconds. */
    public void run() {
        long result = call.call(command);
        if (result != 0) {
            // cannot happen after a successful registration; going on without the barrier would lose wake-ups
            throw new IllegalStateException("membarrier failed with status " + result);
        }
    }

    private static Optional<Membarrier> detect(int command, int registration) {
        return SystemCall.find(324, 283)
                .map(call -> new Membarrier(call, command))
                .filter(barrier -> barrier.isSupported() && barrier.call.call(registration) == 0);
    }

    private boolean isSupported() {
        long supported = call.call(QUERY);
        return supported > 0 && (supported & command) != 0;
    }
}
