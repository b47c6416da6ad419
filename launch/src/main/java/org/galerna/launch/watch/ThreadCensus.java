package org.galerna.launch.watch;

import static java.lang.Thread.State.BLOCKED;
import static java.lang.Thread.State.NEW;
import static java.lang.Thread.State.TERMINATED;
import static java.lang.Thread.State.WAITING;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.management.JMException;
import javax.management.ObjectName;
import org.galerna.launch.rank.RankContext;

/**
 * Finds out whether anything but the known blocked calls could still move a job: a thread of a rank that computes,
 * sleeps for a while, reads a file or waits for a process. In doubt the answer is yes.
 */
final class ThreadCensus {
    /** First line of a virtual thread in a dump: number, name, kind, state, time. */
    private static final Pattern VIRTUAL_THREAD = Pattern.compile("#(\\d+) \".*\" virtual ([A-Z_]+) \\S+");

    private static final Pattern FRAME = Pattern.compile("\\s+at (?:.*/)?([^/(]+)\\.[^.(]+\\(.*");

    private final List<? extends ObservedRank> ranks;

    ThreadCensus(List<? extends ObservedRank> ranks) {
        this.ranks = ranks;
    }

    /**
     * True if some thread of a rank may yet send a message.
     *
     * @param inCalls the threads that are known to be blocked in communication calls
     */
    boolean anybodyElseAlive(Set<Thread> inCalls) {
        return platformThreadAlive(inCalls) || virtualThreadAlive(inCalls);
    }

    private boolean platformThreadAlive(Set<Thread> inCalls) {
        Set<Thread> members = ranks.stream()
                .filter(rank -> !rank.hasEnded())
                .flatMap(rank -> rank.threads().stream())
                .collect(Collectors.toSet());
        for (Map.Entry<Thread, StackTraceElement[]> entry :
                Thread.getAllStackTraces().entrySet()) {
            Thread thread = entry.getKey();
            // a thread of no rank may run the program too: those of the common pool do
            boolean relevant =
                    members.contains(thread) || (!RankContext.isOfSomeRank(thread) && runsProgram(entry.getValue()));
            if (relevant && !inCalls.contains(thread) && canGoOn(thread.getState(), entry.getValue())) {
                return true;
            }
        }
        return false;
    }

    private static boolean canGoOn(Thread.State state, StackTraceElement[] frames) {
        if (state == NEW || state == TERMINATED) {
            return false;
        }
        boolean waits = state == WAITING || state == BLOCKED;
        return !waits || waitsForProcess(frames);
    }

    /** The end of a process comes from outside, without any thread of the program. */
    private static boolean waitsForProcess(StackTraceElement[] frames) {
        return Arrays.stream(frames)
                .anyMatch(frame -> frame.getClassName().equals("java.lang.ProcessImpl")
                        && frame.getMethodName().equals("waitFor"));
    }

    private boolean runsProgram(StackTraceElement[] frames) {
        return Arrays.stream(frames).anyMatch(frame -> isProgram(frame.getClassName()));
    }

    private boolean isProgram(String className) {
        return ranks.stream().anyMatch(rank -> rank.owns(className));
    }

    /** Virtual threads belong to no group, and only a dump of the JVM lists them. */
    private boolean virtualThreadAlive(Set<Thread> inCalls) {
        Set<Long> known = inCalls.stream().map(Thread::threadId).collect(Collectors.toSet());
        List<String> lines = dump();
        for (int index = 0; index < lines.size(); index++) {
            Matcher thread = VIRTUAL_THREAD.matcher(lines.get(index));
            if (thread.matches()
                    && !known.contains(Long.valueOf(thread.group(1)))
                    && !thread.group(2).equals(WAITING.name())
                    && !thread.group(2).equals(BLOCKED.name())
                    && isProgram(lines.subList(index + 1, lines.size()))) {

                return true;
            }
        }
        return false;
    }

    /** True if the stack at the beginning of these lines is the program's, or not there because it is yet to begin. */
    private boolean isProgram(List<String> lines) {
        List<String> frames = lines.stream().takeWhile(line -> !line.isBlank()).toList();
        return frames.isEmpty()
                || frames.stream().map(FRAME::matcher).anyMatch(frame -> frame.matches() && isProgram(frame.group(1)));
    }

    private static List<String> dump() {
        try {
            Path folder = Files.createTempDirectory("galerna");
            Path file = folder.resolve("threads");
            try {
                ManagementFactory.getPlatformMBeanServer()
                        .invoke(
                                new ObjectName("com.sun.management:type=HotSpotDiagnostic"),
                                "dumpThreads",
                                new Object[] {file.toString(), "TEXT_PLAIN"},
                                new String[] {String.class.getName(), String.class.getName()});
                return Files.readAllLines(file);
            } finally {
                Files.deleteIfExists(file);
                Files.delete(folder);
            }
        } catch (IOException | JMException noDump) {
            // without one, virtual threads are not taken into account
            return List.of();
        }
    }
}
