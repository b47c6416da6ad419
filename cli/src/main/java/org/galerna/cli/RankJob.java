package org.galerna.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.galerna.cli.program.ChildJvm;
import org.galerna.cli.run.RunCommand;
import org.galerna.cli.usage.UsageException;
import org.galerna.launch.GalernaJvm;
import org.galerna.launch.GalernaPath;

/** A job of ranks that a command has {@code galerna run} start, in a JVM of its own: that of a job of processes ends with it. */
final class RankJob {
    private RankJob() {}

    /**
     * The options of {@code galerna run} among the words of a command, which has no arguments.
     *
     * @throws UsageException if there are other words
     */
    static RunCommand parse(String command, List<String> options) {
        RunCommand run = RunCommand.parse(command, options);
        run.words().stream().findFirst().ifPresent(word -> {
            throw new UsageException("\"" + word + "\" is one argument too many");
        });
        return run;
    }

    /** Runs a job to its end; its exit status. */
    static int run(List<String> options, Class<?> program, List<String> arguments) throws InterruptedException {
        List<String> command = GalernaJvm.command(List.of());
        command.addAll(List.of(Main.class.getName(), "run"));
        command.addAll(options);
        command.addAll(List.of("-cp", GalernaPath.classPath(), program.getName()));
        command.addAll(arguments);
        return ChildJvm.await(command, Path.of("").toAbsolutePath(), Duration.ZERO, () -> {});
    }
}
