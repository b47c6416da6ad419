package org.galerna.launch.watch;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.ObjectName;
import org.galerna.launch.watch.ThreadWait.Frame;
import org.jspecify.annotations.Nullable;

/** The virtual threads of this virtual machine: they belong to no group, and only a dump lists them. */
final class VirtualThreads {
    /** First line of a virtual thread in a dump: number, name, kind, state, time. */
    private static final Pattern THREAD = Pattern.compile("#(\\d+) \"(.*)\" virtual ([A-Z_]+) \\S+");

    private static final Pattern FRAME = Pattern.compile("\\s+at (?:.*/)?([^/(]+)\\.([^.(]+)\\((.*)\\)");

    private VirtualThreads() {}

    /** A virtual thread with its stack, the innermost call first. */
    record Found(long id, String name, Thread.State state, List<Frame> frames) {}

    /** Those alive, except those that have ended or not begun meanwhile; null if they cannot be listed. */
    static @Nullable List<Found> find() {
        // with this option the virtual machine forgets them
        String tracking = System.getProperty("jdk.trackAllThreads", "");
        if (!tracking.isEmpty() && !Boolean.parseBoolean(tracking)) {
            return null;
        }
        List<String> lines = dump();
        return lines == null ? null : parse(lines);
    }

    static List<Found> parse(List<String> lines) {
        List<Found> threads = new ArrayList<>();
        for (int index = 0; index < lines.size(); index++) {
            Matcher thread = THREAD.matcher(lines.get(index));
            if (thread.matches()) {
                List<Frame> frames = lines.subList(index + 1, lines.size()).stream()
                        .takeWhile(line -> !line.isBlank())
                        .map(FRAME::matcher)
                        .filter(Matcher::matches)
                        .map(frame -> new Frame(
                                frame.group(1), frame.group(2), frame.group(3).equals("Native Method")))
                        .toList();
                threads.add(new Found(
                        Long.parseLong(thread.group(1)),
                        thread.group(2),
                        Thread.State.valueOf(thread.group(3)),
                        frames));
            }
        }
        return threads;
    }

    private static @Nullable List<String> dump() {
        try {
            Path file = DumpFolder.ofProcess().resolve(DumpFolder.DUMP);
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
            }
        } catch (IOException | JMException noDump) {
            return null;
        }
    }
}
