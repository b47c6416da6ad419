package org.galerna.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.galerna.launch.GalernaPath;
import org.galerna.launch.JobMain;

/** Runs a job in a JVM of its own, with the streams of this one. */
final class ChildJvm {
    /** How long the child may take to end in good order once this process is told to end. */
    private static final long PATIENCE_SECONDS = 5;

    /** An option that chooses a garbage collector, or a file of options, which may do so. */
    private static final Pattern COLLECTOR = Pattern.compile("-XX:[+]Use\\w+GC\\b|(^|\\s)@");

    private ChildJvm() {}

    /**
     * Runs a job and waits for it.
     *
     * @return exit status of the child
     */
    static int run(List<String> jvmOptions, Path folder, List<String> jobArguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("--enable-native-access=ALL-UNNAMED");
        if (!choosesCollector(jvmOptions)) {
            // its write barrier is a store; that of G1 has a full fence, which waits for every line of a message
            command.add("-XX:+UseParallelGC");
        }
        command.addAll(jvmOptions);
        command.add("-cp");
        command.add(GalernaPath.classPath());
        command.add(JobMain.class.getName());
        command.addAll(jobArguments);
        Process child = new ProcessBuilder(command)
                .directory(folder.toFile())
                .inheritIO()
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(child), "galerna-end-child"));
        return child.waitFor();
    }

    /** Whether the user has chosen a garbage collector, here or in the environment that every JVM reads. */
    private static boolean choosesCollector(List<String> jvmOptions) {
        List<String> all = new ArrayList<>(jvmOptions);
        for (String variable : List.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS")) {
            all.add(System.getenv().getOrDefault(variable, ""));
        }
        return all.stream().anyMatch(option -> COLLECTOR.matcher(option).find());
    }

    /** A signal to this process is one to the job. Ctrl-C reaches the child by itself, and this does no harm then. */
    private static void end(Process child) {
        child.destroy();
        try {
            if (!child.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                child.destroyForcibly();
            }
        } catch (InterruptedException hurry) {
            child.destroyForcibly();
        }
    }
}
