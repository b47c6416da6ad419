package org.galerna.link.counters;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** This process, as those that look at it from outside know it. */
public final class OwnProcess {
    /** Runs source files for {@code java FILE.java}. */
    private static final String SOURCE_LAUNCHER = "jdk.compiler/";

    private static @Nullable OwnProcess known;
    private static volatile @Nullable String command;

    private final long number;
    private final long startMillis;

    private OwnProcess(ProcessHandle process) {
        this.number = process.pid();
        this.startMillis = startMillis(process);
    }

    static synchronized OwnProcess instance() {
        OwnProcess process = known;
        if (process == null) {
            process = new OwnProcess(ProcessHandle.current());
            known = process;
        }
        return process;
    }

    private static long startMillis(ProcessHandle process) {
        return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }

    long number() {
        return number;
    }

    /** When it has begun: numbers of processes are used again. */
    long startMillis() {
        return startMillis;
    }

    /** Whether a process is still there. */
    static boolean isAlive(long number, long startMillis) {
        return ProcessHandle.of(number)
                .filter(ProcessHandle::isAlive)
                .filter(found -> startMillis(found) == startMillis)
                .isPresent();
    }

    /** Says what the process runs, where its own command line tells the launcher's business. */
    public static void runs(String mainClass, List<String> arguments) {
        command = arguments.isEmpty() ? mainClass : mainClass + " " + String.join(" ", arguments);
    }

    /** What the process runs. */
    static String command() {
        String said = command;
        if (said != null) {
            return said;
        }
        String line = System.getProperty("sun.java.command", "");
        int space = line.indexOf(' ');
        return line.startsWith(SOURCE_LAUNCHER) && space > 0 ? line.substring(space + 1) : line;
    }
}
