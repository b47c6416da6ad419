package org.galerna.launch.watch;

import java.util.List;
import java.util.function.Predicate;
import org.galerna.launch.program.ProgramClasses;

/**
 * What a thread that is in no communication call waits for, as its state and its stack tell. In doubt it is something
 * that may come.
 *
 * @param what the rest of a sentence about the thread; empty unless the kind is {@link Kind#OUTSIDE}
 */
record ThreadWait(Kind kind, String what) {
    private static final ThreadWait NOTHING = new ThreadWait(Kind.NOTHING, "");
    private static final ThreadWait ANOTHER_THREAD = new ThreadWait(Kind.ANOTHER_THREAD, "");
    private static final ThreadWait RUNS = new ThreadWait(Kind.RUNS, "");
    private static final ThreadWait SLEEPS = new ThreadWait(Kind.OUTSIDE, "sleeps for a time");

    /** How a thread may go on. */
    enum Kind {
        /** Not at all: it has nothing to do. */
        NOTHING,
        /** When another thread of the same virtual machine wakes it. */
        ANOTHER_THREAD,
        /** When something happens outside of the virtual machine, or after a time. */
        OUTSIDE,
        /** By itself. */
        RUNS
    }

    /** One call of a stack. */
    record Frame(String className, String method, boolean isNative) {
        static Frame of(StackTraceElement element) {
            return new Frame(element.getClassName(), element.getMethodName(), element.isNativeMethod());
        }

        boolean is(String name, String called) {
            return className.equals(name) && method.equals(called);
        }
    }

    /** @param frames the innermost first */
    static ThreadWait of(Thread.State state, List<Frame> frames) {
        return switch (state) {
            case NEW, TERMINATED -> NOTHING;
            case RUNNABLE -> ofRunnable(frames);
            case WAITING, BLOCKED -> ofWaiting(frames, ANOTHER_THREAD);
            case TIMED_WAITING -> ofWaiting(frames, isIdleWorker(frames) ? NOTHING : SLEEPS);
        };
    }

    /** A thread in a call of the system is runnable too, as far as the virtual machine is concerned. */
    private static ThreadWait ofRunnable(List<Frame> frames) {
        if (frames.isEmpty() || !frames.getFirst().isNative()) {
            return RUNS;
        }
        Frame call = frames.getFirst();
        if (call.className().startsWith("java.lang.Process")) {
            return outside("waits for a process");
        }
        if (isChannel(call) || call.className().startsWith("java.net.")) {
            return outside("waits for a connection or for data");
        }
        if (call.className().startsWith("sun.nio.fs.")) {
            return outside("waits for a change of files");
        }
        if (call.className().startsWith("java.io.")) {
            return outside("waits for input or output");
        }
        return ProgramClasses.isPlatform(call.className()) ? RUNS : outside("is in native code");
    }

    private static ThreadWait ofWaiting(List<Frame> frames, ThreadWait otherwise) {
        if (has(frames, frame -> frame.className().startsWith("java.lang.Process"))) {
            return outside("waits for a process");
        }
        if (has(frames, ThreadWait::isChannel)) {
            return outside("waits for a connection or for data");
        }
        if (has(frames, frame -> frame.className().startsWith("sun.nio.fs."))) {
            return outside("waits for a change of files");
        }
        if (has(frames, frame -> frame.className().startsWith("java.lang.ref.ReferenceQueue"))) {
            return outside("waits for the garbage collector");
        }
        return otherwise;
    }

    private static boolean isChannel(Frame frame) {
        return frame.className().startsWith("sun.nio.ch.") || frame.className().startsWith("sun.net.");
    }

    /** A thread of a pool that ends if no task comes for a time. */
    private static boolean isIdleWorker(List<Frame> frames) {
        return has(frames, frame -> frame.is("java.util.concurrent.ForkJoinPool", "awaitWork"))
                || (has(frames, frame -> frame.is("java.util.concurrent.ThreadPoolExecutor", "getTask"))
                        && !has(frames, frame -> frame.className().contains("Delay")));
    }

    private static boolean has(List<Frame> frames, Predicate<Frame> which) {
        return frames.stream().anyMatch(which);
    }

    private static ThreadWait outside(String what) {
        return new ThreadWait(Kind.OUTSIDE, what);
    }
}
