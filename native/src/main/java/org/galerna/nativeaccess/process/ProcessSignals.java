package org.galerna.nativeaccess.process;

import org.galerna.nativeaccess.call.KernelCall;
import org.galerna.nativeaccess.call.Platform;

/**
 * Stops processes and resumes them, by {@code SIGSTOP} and {@code SIGCONT} of {@code kill(2)}. A stopped process computes nothing: it
 * gets what is sent to it, and handles a signal, when it is resumed. {@code SIGKILL} alone ends it at once. On Linux, and only with the
 * numbers that x86-64 and AArch64 have; elsewhere nothing happens. Any thread may call.
 */
public final class ProcessSignals {
    private static final int CONTINUE = 18;
    private static final int STOP = 19;

    /** {@code PR_SET_PDEATHSIG}: what the system sends to a process when its parent ends. */
    private static final int SET_SIGNAL_OF_PARENT_DEATH = 1;

    private static final KernelCall KILL = KernelCall.of("kill", 62);
    private static final KernelCall CONTROL = KernelCall.of("prctl", 157);

    private ProcessSignals() {}

    /**
     * Stops a process with all its threads.
     *
     * @param process the system's number of a child that has not been waited for, since the system may give another number to others
     * @return false if it goes on: there is no such process, it is another user's, or this is not possible here
     */
    public static boolean stop(long process) {
        return send(process, STOP);
    }

    /** Lets a stopped process go on; no effect on one that is not stopped. The parameter and the result are those of {@link #stop}. */
    public static boolean resume(long process) {
        return send(process, CONTINUE);
    }

    /**
     * Has the system resume this process when the one that has started it ends, even if that is killed: it may have stopped this one.
     *
     * @return false if this is not possible here
     */
    public static boolean resumeAtEndOfParent() {
        return isPossible() && CONTROL.call(SET_SIGNAL_OF_PARENT_DEATH, CONTINUE) == 0;
    }

    private static boolean send(long process, int signal) {
        return isPossible() && process > 0 && KILL.call(process, signal) == 0;
    }

    private static boolean isPossible() {
        return Platform.isUsable() && Platform.isProcessorKnown();
    }
}
