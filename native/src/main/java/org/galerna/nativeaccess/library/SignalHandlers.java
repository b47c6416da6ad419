package org.galerna.nativeaccess.library;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import org.galerna.nativeaccess.call.CFunction;
import org.galerna.nativeaccess.call.CallMemory;
import org.galerna.nativeaccess.call.KernelCall;

/**
 * What this process does on each signal. The virtual machine lives on its handlers for SIGSEGV and others, and some
 * libraries put their own in their place when they are loaded: see {@link NativeLibrary}.
 */
public final class SignalHandlers {
    /** Linux has signals 1 to 64. */
    private static final int SIGNALS = 64;

    /** More than any C library's {@code struct sigaction}; glibc's has 152 bytes. */
    private static final int ACTION_BYTES = 256;

    /** The numbers that C libraries keep to themselves. */
    private static final int FIRST_OF_LIBRARY = 32;

    private static final int LAST_OF_LIBRARY = 34;

    /** Size of a set of signals, in bytes, as the kernel wants to be told. */
    private static final int SET_BYTES = 8;

    /** Linked for those who change handlers. */
    private static final class Library {
        static final CFunction SIGACTION = CFunction.of("sigaction");
    }

    private final MemorySegment actions;

    private SignalHandlers(MemorySegment actions) {
        this.actions = actions;
    }

    /** The handlers as they are now, in memory of {@code arena}. */
    public static SignalHandlers current(Arena arena) {
        SignalHandlers handlers = new SignalHandlers(arena.allocate((long) ACTION_BYTES * (SIGNALS + 1), 8));
        for (int signal = 1; signal <= SIGNALS; signal++) {
            call(signal, MemorySegment.NULL, handlers.action(signal));
        }
        return handlers;
    }

    /**
     * Where the handlers of all signals are now, by the numbers of the signals. Cheaper than {@link #current}, for those who only
     * compare. The handler is the first of an action.
     */
    public static long[] addresses() {
        KernelCall sigaction = KernelCall.of("sigaction", 13);
        CallMemory action = CallMemory.allocate(ACTION_BYTES);
        long[] handlers = new long[SIGNALS + 1];
        try {
            for (int signal = 1; signal <= SIGNALS; signal++) {
                boolean ofLibrary = signal >= FIRST_OF_LIBRARY && signal <= LAST_OF_LIBRARY;
                if (!ofLibrary && sigaction.call(signal, 0, action.address(), SET_BYTES) == 0) {
                    handlers[signal] = action.buffer().getLong(0);
                }
            }
            return handlers;
        } finally {
            Reference.reachabilityFence(action);
        }
    }

    /**
     * Puts the handlers back that are not these any more.
     *
     * @return the numbers of their signals
     */
    public List<Integer> restore() {
        List<Integer> changed = changed();
        changed.forEach(signal -> call(signal, action(signal), MemorySegment.NULL));
        return changed;
    }

    /** The numbers of the signals whose handlers are not these any more. */
    public List<Integer> changed() {
        long[] before = new long[SIGNALS + 1];
        for (int signal = 1; signal <= SIGNALS; signal++) {
            before[signal] = action(signal).get(JAVA_LONG, 0);
        }
        return changed(before);
    }

    /** The numbers of the signals whose handlers are not where {@link #addresses} found them any more. */
    public static List<Integer> changed(long[] before) {
        long[] now = addresses();
        List<Integer> changed = new ArrayList<>();
        for (int signal = 1; signal <= SIGNALS; signal++) {
            if (now[signal] != before[signal]) {
                changed.add(signal);
            }
        }
        return changed;
    }

    private MemorySegment action(int signal) {
        return actions.asSlice((long) signal * ACTION_BYTES, ACTION_BYTES);
    }

    /** Signals that the C library keeps to itself are refused; what was there before stays zero then. */
    private static void call(int signal, MemorySegment action, MemorySegment old) {
        Library.SIGACTION.call(CFunction.IGNORED, signal, action.address(), old.address());
    }
}
