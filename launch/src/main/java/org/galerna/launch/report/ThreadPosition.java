package org.galerna.launch.report;

import java.util.List;
import java.util.Locale;

/**
 * Where a thread of a rank was at some moment.
 *
 * @param thread name of the thread
 * @param state in words, e.g. {@code "in receive from rank 1, tag 7"} or {@code "sleeping"}
 * @param frames the stack, the innermost call first, without the launcher's part of it
 * @param awaited the rank that its call waits for, {@link #ANYBODY} or {@link #NOBODY}
 */
public record ThreadPosition(String thread, String state, List<StackTraceElement> frames, int awaited) {
    /** Any rank could end the call. */
    public static final int ANYBODY = Deadlock.Waiter.ANYBODY;

    /** The thread is in no call that waits for a rank. */
    public static final int NOBODY = -2;

    /** A thread that waits for no rank. */
    public ThreadPosition(String thread, String state, List<StackTraceElement> frames) {
        this(thread, state, frames, NOBODY);
    }

    /**
     * A thread in a call that waits.
     *
     * @param call in words
     * @param nanos for how long it has waited
     */
    public static ThreadPosition inCall(
            String thread, String call, long nanos, int peer, List<StackTraceElement> frames) {
        String state =
                "in " + call + " for " + duration(nanos) + ", waits for " + (peer < 0 ? "any rank" : "rank " + peer);
        return new ThreadPosition(thread, state, frames, Math.max(peer, ANYBODY));
    }

    /** A thread that is in no call that waits, or in one that has just begun to or does not sleep: then without its insides. */
    public static ThreadPosition atWork(String thread, String state, StackTraceElement[] frames) {
        String called = StackTraces.apiCall(frames);
        return called.isEmpty()
                ? new ThreadPosition(thread, state, StackTraces.ofProgram(frames))
                : new ThreadPosition(thread, "in " + called, StackTraces.ofProgramInCall(frames));
    }

    /** A duration with one unit or two: {@code 0.3 s}, {@code 12 s}, {@code 3 min 5 s}, {@code 2 h 7 min}. */
    public static String duration(long nanos) {
        long tenths = nanos / 100_000_000;
        long seconds = tenths / 10;
        if (seconds < 10) {
            return String.format(Locale.ROOT, "%d.%d s", seconds, tenths % 10);
        }
        if (seconds < 60) {
            return seconds + " s";
        }
        return seconds < 3600
                ? seconds / 60 + " min " + seconds % 60 + " s"
                : seconds / 3600 + " h " + seconds / 60 % 60 + " min";
    }

    /** What a thread does that is in no call, in words. */
    public static String words(Thread.State state) {
        return switch (state) {
            case RUNNABLE -> "running";
            case BLOCKED -> "waiting for a lock";
            case WAITING -> "waiting";
            case TIMED_WAITING -> "sleeping";
            case NEW, TERMINATED -> "not running";
        };
    }

    /** A position with the list copied. */
    public ThreadPosition {
        frames = List.copyOf(frames);
    }
}
