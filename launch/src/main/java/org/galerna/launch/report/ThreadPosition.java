package org.galerna.launch.report;

import java.util.List;

/**
 * Where a thread of a rank was at some moment.
 *
 * @param thread name of the thread
 * @param state in words, e.g. {@code "in receive from rank 1, tag 7"} or {@code "sleeping"}
 * @param frames the stack, the innermost call first, without the launcher's part of it
 */
public record ThreadPosition(String thread, String state, List<StackTraceElement> frames) {
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
