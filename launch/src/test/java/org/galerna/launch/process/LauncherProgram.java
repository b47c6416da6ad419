package org.galerna.launch.process;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.galerna.launch.JobEnd;

/** A launcher in a process of its own, as the command line's is: ranks, class path, hosts, words of ssh, arguments. */
public final class LauncherProgram {
    /** System property: an option of the ranks' virtual machines. */
    static final String OPTION = "launcher.option";

    private static final int FIXED = 4;

    private LauncherProgram() {}

    public static void main(String[] arguments) {
        ProcessJob.Builder job = ProcessJob.builder()
                .ranks(Integer.parseInt(arguments[0]))
                .classPath(arguments[1])
                .mainClass("Main")
                .jvmOptions(List.of(
                        "-XX:TieredStopAtLevel=1",
                        "-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"),
                        "-XX:+UnlockDiagnosticVMOptions",
                        System.getProperty(OPTION, "-XX:-PauseAtStartup")))
                .deadlockTimeout(Duration.ofMillis(300))
                .timeout(Duration.ofMinutes(5))
                .workingFolder(Path.of(arguments[1]))
                .arguments(Arrays.asList(arguments).subList(FIXED, arguments.length));
        if (!arguments[2].isEmpty()) {
            job.hosts(HostList.parse(arguments[2]));
        }
        if (!arguments[3].isEmpty()) {
            job.ssh(Arrays.asList(arguments[3].split(" ")));
        }
        JobEnd.run(job.build());
    }
}
