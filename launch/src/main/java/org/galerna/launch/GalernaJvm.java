package org.galerna.launch;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** How a JVM is started for ranks. */
public final class GalernaJvm {
    /** An option that chooses a garbage collector, or a file of options, which may do so. */
    private static final Pattern COLLECTOR = Pattern.compile("-XX:[+]Use\\w+GC\\b|(^|\\s)@");

    private GalernaJvm() {}

    /**
     * The command up to the main class, which is the caller's to add: this JVM's own program with Galerna on the class
     * path and the parallel collector, unless another one is chosen.
     *
     * @param options of the virtual machine, as the user gave them
     */
    public static List<String> command(List<String> options) {
        List<String> command = upToOptions(options);
        command.addAll(options);
        command.add("-cp");
        command.add(GalernaPath.classPath());
        return command;
    }

    /** As {@link #command}, for a JVM whose ranks are threads. */
    public static List<String> ofThreads(List<String> options) {
        List<String> command = command(options);
        // before those of the user, so that the user's own counts; the JVM warns that it will not share classes then
        command.addAll(1, RankSystemLoader.OPTIONS);
        return command;
    }

    /**
     * The beginning of a command, where further options may follow: what a rank's virtual machine needs, but for those of
     * the user, which are the caller's to add, and the class path.
     *
     * @param options of the virtual machine, as the user gave them
     */
    public static List<String> upToOptions(List<String> options) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("--enable-native-access=ALL-UNNAMED");
        if (!choosesCollector(options)) {
            // its write barrier is a store; that of G1 has a full fence, which waits for every line of a message
            command.add("-XX:+UseParallelGC");
            // its table of dirty cards has one line for 32 KiB of the heap, which ranks that store references there
            // would
            // take from each other; this way a card that is dirty already is only read
            command.add("-XX:+UseCondCardMark");
        }
        return command;
    }

    /** Whether the user has chosen a garbage collector, here or in the environment that every JVM reads. */
    private static boolean choosesCollector(List<String> options) {
        List<String> all = new ArrayList<>(options);
        for (String variable : List.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS")) {
            all.add(System.getenv().getOrDefault(variable, ""));
        }
        return all.stream().anyMatch(option -> COLLECTOR.matcher(option).find());
    }
}
