package org.galerna.nativeaccess;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import java.util.Locale;
import java.util.Optional;

/**
 * Linux' {@code membarrier(2)}: a full memory barrier on every running thread of this process, at the caller's expense.
 */
public final class Membarrier {
    private static final int QUERY = 0;
    private static final int PRIVATE_EXPEDITED = 1 << 3;
    private static final int REGISTER_PRIVATE_EXPEDITED = 1 << 4;

    private static final Optional<Membarrier> INSTANCE = detect();

    private final MethodHandle syscall;
    private final long number;

    private Membarrier(MethodHandle syscall, long number) {
        this.syscall = syscall;
        this.number = number;
    }

    /** The barrier; empty where the system has none or native access is not granted. */
    public static Optional<Membarrier> instance() {
        return INSTANCE;
    }

    /** Executes the barrier; one to two microseconds. */
    public void run() {
        int result = call(PRIVATE_EXPEDITED);
        if (result != 0) {
            // cannot happen after a successful registration; going on without the barrier would lose wake-ups
            throw new IllegalStateException("membarrier failed with status " + result);
        }
    }

    private int call(int command) {
        try {
            return (int) (long) syscall.invokeExact(number, (long) command, 0L, 0L);
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @SuppressWarnings("restricted") // the one purpose of this module
    private static Optional<Membarrier> detect() {
        long number = switch (System.getProperty("os.arch", "")) {
            case "amd64" -> 324;
            case "aarch64", "riscv64" -> 283;
            default -> -1;
        };
        boolean linux =
                System.getProperty("os.name", "").toLowerCase(Locale.ROOT).startsWith("linux");
        if (!linux || number < 0 || !Membarrier.class.getModule().isNativeAccessEnabled()) {
            return Optional.empty();
        }
        Linker linker = Linker.nativeLinker();
        MethodHandle syscall = linker.defaultLookup()
                .find("syscall")
                .map(address -> linker.downcallHandle(
                        address,
                        FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
                        Linker.Option.firstVariadicArg(1)))
                .orElse(null);
        if (syscall == null) {
            return Optional.empty();
        }
        Membarrier barrier = new Membarrier(syscall, number);
        int supported = barrier.call(QUERY);
        boolean usable =
                supported > 0 && (supported & PRIVATE_EXPEDITED) != 0 && barrier.call(REGISTER_PRIVATE_EXPEDITED) == 0;
        return usable ? Optional.of(barrier) : Optional.empty();
    }
}
