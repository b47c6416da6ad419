package org.galerna.launch.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.galerna.launch.program.MainMethod;
import org.galerna.launch.program.ProgramClasses;
import org.galerna.link.CommunicationException;
import org.galerna.link.MissedCollective;
import org.galerna.link.process.GalernaClasses;
import org.galerna.link.process.OwnLog;
import org.jspecify.annotations.Nullable;

/** Stack traces as the author of a program wants to see them: without the launcher's calls around it. */
public final class StackTraces {
    private static final String ENTRY = MainMethod.class.getName();
    private static final String LAUNCHER = "org.galerna.launch.rank.";
    /** What {@code java Main.java} runs the program with. */
    private static final String OF_SOURCES = "com.sun.tools.javac.launcher.";

    private static final int DEEPEST_CAUSE = 30;
    private static final int MOST_CALLS = 30;

    /** What runs code of this JVM as a rank. */
    private static final String RANKS = "org.galerna.ranks.RankCall";

    /** Option of a virtual machine: Galerna's own calls and causes are shown, too. */
    public static final String VERBOSE = "-D" + OwnLog.VERBOSE + "=true";

    private final StringBuilder text;
    private final boolean verbose;
    private final Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());

    private StackTraces(StringBuilder text, boolean verbose) {
        this.text = text;
        this.verbose = verbose;
    }

    /** Whether the exception is a consequence of the end of another rank, which may be reported by itself. */
    public static boolean isByLostPeer(Throwable exception) {
        Throwable cause = exception;
        for (int depth = 0; cause != null && depth < DEEPEST_CAUSE; depth++) {
            if (cause instanceof CommunicationException failure && failure.isByLostPeer()) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }

    /** The collective that another rank has not called before its end; null if the exception is about something else. */
    public static @Nullable MissedCollective missed(Throwable exception) {
        Throwable cause = exception;
        for (int depth = 0; cause != null && depth < DEEPEST_CAUSE; depth++) {
            if (cause instanceof CommunicationException failure && failure.missed() != null) {
                return failure.missed();
            }
            cause = cause.getCause();
        }
        return null;
    }

    /** What {@link #text} says of an exception, but for its first line if that is a failure of package {@code mpi}. */
    static String withoutHead(String text) {
        return text.startsWith("mpi.MPIException: ") ? text.substring(text.indexOf('\n') + 1) : text;
    }

    /** The part of a stack that is the program's: the calls that lead from the launcher into it are left out. */
    public static List<StackTraceElement> ofProgram(StackTraceElement[] frames) {
        int end = frames.length;
        for (int index = 0; index < frames.length; index++) {
            String className = frames[index].getClassName();
            if (className.equals(ENTRY)
                    || className.equals(RANKS)
                    || className.startsWith(LAUNCHER)
                    || className.startsWith(OF_SOURCES)) {
                end = index;
                break;
            }
        }
        if (end == frames.length) {
            return List.of(frames);
        }
        while (end > 0 && isReflection(frames[end - 1].getClassName())) {
            end--;
        }
        return Arrays.asList(frames).subList(0, end);
    }

    /** The innermost call that is the program's own, neither Galerna's nor the JDK's; empty if there is none. */
    public static String programCall(StackTraceElement[] frames) {
        return Arrays.stream(frames)
                .filter(frame -> isPrograms(frame.getClassName()))
                .findFirst()
                .map(StackTraces::text)
                .orElse("");
    }

    /** Name of the method of Galerna's that the program has called, e.g. {@code Bcast}; empty if there is none. */
    public static String apiCall(StackTraceElement[] frames) {
        String called = "";
        for (StackTraceElement frame : frames) {
            if (isPrograms(frame.getClassName())) {
                break;
            }
            called = GalernaClasses.isApi(frame.getClassName()) ? frame.getMethodName() : called;
        }
        return called;
    }

    /** The part of a stack that is the program's, without the insides of the call into Galerna that it is in. */
    public static List<StackTraceElement> ofProgramInCall(StackTraceElement[] frames) {
        List<StackTraceElement> program = ofProgram(frames);
        return program.stream()
                .dropWhile(frame -> ProgramClasses.isPlatform(frame.getClassName())
                        || GalernaClasses.isInside(frame.getClassName()))
                .toList();
    }

    /** One call, e.g. {@code org.example.Main.main(Main.java:12)}. */
    static String text(StackTraceElement frame) {
        StringBuilder text =
                new StringBuilder(); // concatenations would make classes, in each rank that another one has left
        text.append(frame.getClassName())
                .append('.')
                .append(frame.getMethodName())
                .append('(');
        if (frame.getFileName() == null) {
            text.append(frame.isNativeMethod() ? "native method" : "unknown source");
        } else {
            text.append(frame.getFileName());
            if (frame.getLineNumber() >= 0) {
                text.append(':').append(frame.getLineNumber());
            }
        }
        return text.append(')').toString();
    }

    /**
     * The exception in words, its calls and its causes, the first line first. Without Galerna's own calls and causes, unless
     * {@link #VERBOSE} is given.
     */
    public static String text(Throwable exception) {
        return text(exception, OwnLog.isVerbose());
    }

    /** As {@link #text(Throwable)}, and what the user can do about it, of a rank that has a process to itself. */
    public static String withAdvice(Throwable exception) {
        return text(exception)
                + (exception instanceof OutOfMemoryError
                        ? "galerna: each process of ranks has a heap of "
                                + (Runtime.getRuntime().maxMemory() >> 20)
                                + " MiB; -Xmx makes it larger, e.g. -Xmx4g\n"
                        : "");
    }

    static String text(Throwable exception, boolean verbose) {
        StringBuilder text = new StringBuilder();
        Throwable inner = exception.getCause();
        String head = describe(exception);
        if (inner != null && exception.getMessage() == null && !verbose) {
            head += ", caused by " + describe(inner);
        }
        new StackTraces(text, verbose).append(exception, head, "");
        return text.toString();
    }

    private void append(Throwable exception, String head, String indent) {
        seen.add(exception);
        text.append(head).append('\n');
        List<StackTraceElement> frames = shown(exception);
        int most = verbose ? frames.size() : MOST_CALLS;
        frames.stream()
                .limit(most)
                .forEach(frame -> text.append(indent)
                        .append("    at ")
                        .append(text(frame))
                        .append('\n'));
        if (frames.size() > most) {
            text.append(indent)
                    .append("    ... and ")
                    .append(frames.size() - most)
                    .append(" more calls\n");
        }
        for (Throwable suppressed : exception.getSuppressed()) {
            appendOther(suppressed, indent + "    ", "Suppressed: ");
        }
        Throwable cause = exception.getCause();
        while (cause != null && !verbose && isInner(cause) && !seen.contains(cause)) {
            seen.add(cause);
            cause = cause.getCause();
        }
        if (cause != null) {
            appendOther(cause, indent, "Caused by: ");
        }
    }

    private void appendOther(Throwable exception, String indent, String caption) {
        text.append(indent).append(caption);
        if (seen.contains(exception)) {
            text.append("[see above: ").append(describe(exception)).append("]\n");
        } else {
            append(exception, describe(exception), indent);
        }
    }

    /** Whether an exception is one of Galerna's that programs do not know: it says again what the one around it says. */
    private static boolean isInner(Throwable exception) {
        return GalernaClasses.isInside(exception.getClass().getName());
    }

    private List<StackTraceElement> shown(Throwable exception) {
        List<StackTraceElement> frames = ofProgram(exception.getStackTrace());
        if (verbose) {
            return frames;
        }
        List<StackTraceElement> shown = new ArrayList<>();
        boolean ofProgram = true; // whether the next call outwards that is not the JDK's is the program's
        for (StackTraceElement frame : frames.reversed()) {
            if (!ProgramClasses.isPlatform(frame.getClassName())) {
                ofProgram = isPrograms(frame.getClassName());
            }
            if (ofProgram) {
                shown.addFirst(frame);
            }
        }
        return shown;
    }

    private static String describe(Throwable exception) {
        try {
            return exception.toString();
        } catch (RuntimeException ofProgram) {
            return exception.getClass().getName() + " (and its message cannot be had: " + ofProgram.getClass() + ")";
        }
    }

    private static boolean isPrograms(String className) {
        return !ProgramClasses.isPlatform(className)
                && !GalernaClasses.isInside(className)
                && !GalernaClasses.isApi(className);
    }

    private static boolean isReflection(String className) {
        return className.startsWith("java.lang.reflect.")
                || className.startsWith("jdk.internal.reflect.")
                || className.startsWith("java.lang.invoke.");
    }
}
