package org.galerna.launch.report;

import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.galerna.launch.program.MainMethod;
import org.galerna.launch.program.ProgramClasses;

/** Stack traces as the author of a program wants to see them: without the launcher's calls around it. */
public final class StackTraces {
    private static final String ENTRY = MainMethod.class.getName();
    private static final String LAUNCHER = "org.galerna.launch.rank.";

    /** What runs code of this JVM as a rank. */
    private static final String RANKS = "org.galerna.ranks.RankCall";

    private StackTraces() {}

    /** The part of a stack that is the program's: the calls that lead from the launcher into it are left out. */
    public static List<StackTraceElement> ofProgram(StackTraceElement[] frames) {
        int end = frames.length;
        for (int index = 0; index < frames.length; index++) {
            String className = frames[index].getClassName();
            if (className.equals(ENTRY) || className.equals(RANKS) || className.startsWith(LAUNCHER)) {
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

    /** The part of a stack that is the program's, without the insides of the call into Galerna that it is in. */
    public static List<StackTraceElement> ofProgramInCall(StackTraceElement[] frames) {
        List<StackTraceElement> program = ofProgram(frames);
        return program.stream()
                .dropWhile(frame -> ProgramClasses.isPlatform(frame.getClassName())
                        || ProgramClasses.isInside(frame.getClassName()))
                .toList();
    }

    /** One call, e.g. {@code org.example.Main.main(Main.java:12)}. */
    static String text(StackTraceElement frame) {
        String place = frame.getFileName() == null
                ? frame.isNativeMethod() ? "native method" : "unknown source"
                : frame.getLineNumber() < 0 ? frame.getFileName() : frame.getFileName() + ":" + frame.getLineNumber();
        return frame.getClassName() + "." + frame.getMethodName() + "(" + place + ")";
    }

    /** The exception with its causes, as the JVM prints it, without the launcher's calls. */
    public static String text(Throwable exception) {
        StringBuilder text = new StringBuilder();
        append(text, exception, "", "", Collections.newSetFromMap(new IdentityHashMap<>()));
        return text.toString();
    }

    private static void append(
            StringBuilder text, Throwable exception, String indent, String caption, Set<Throwable> seen) {
        text.append(indent).append(caption);
        if (!seen.add(exception)) {
            text.append("[see above: ").append(describe(exception)).append("]\n");
            return;
        }
        text.append(describe(exception)).append('\n');
        StackTraceElement[] frames = exception.getStackTrace();
        for (StackTraceElement frame : ofProgram(frames)) {
            text.append(indent).append("    at ").append(text(frame)).append('\n');
        }
        for (Throwable suppressed : exception.getSuppressed()) {
            append(text, suppressed, indent + "    ", "Suppressed: ", seen);
        }
        if (exception.getCause() != null) {
            append(text, exception.getCause(), indent, "Caused by: ", seen);
        }
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
                && !ProgramClasses.isInside(className)
                && !ProgramClasses.isApi(className);
    }

    private static boolean isReflection(String className) {
        return className.startsWith("java.lang.reflect.")
                || className.startsWith("jdk.internal.reflect.")
                || className.startsWith("java.lang.invoke.");
    }
}
