package org.galerna.cli.run;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.galerna.cli.options.JvmOptions;
import org.galerna.cli.options.SettingsCheck;
import org.galerna.cli.program.ChildJvm;
import org.galerna.cli.usage.UsageException;
import org.galerna.cli.usage.Version;
import org.galerna.sockets.Agent;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code galerna sockets}: programs whose connections within a host go through shared memory. */
@Command(
        name = "sockets",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description =
                "Runs Java programs, unchanged, with sockets that use shared memory between processes of one host.",
        subcommands = SocketsCommand.Run.class)
public final class SocketsCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "the command is missing: galerna sockets run");
    }

    /** {@code galerna sockets run}. */
    @Command(
            name = "run",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            description = "Runs java with these arguments and with fast sockets: galerna sockets run -jar app.jar")
    static final class Run implements Callable<Integer> {
        @Option(names = "--log", description = "print of each connection whether it is fast, or why it stays plain")
        private boolean log;

        @Option(
                names = "--stats",
                description = "print at the end how many connections were fast and how many plain, and why")
        private boolean stats;

        @Option(names = "--off", description = "keep all connections plain, to compare")
        private boolean off;

        @Option(
                names = "--include",
                paramLabel = "PORTS",
                description = "speed up only these ports, such as 80,8000-8100")
        private @Nullable String include;

        @Option(names = "--exclude", paramLabel = "PORTS", description = "keep these ports plain")
        private @Nullable String exclude;

        @Parameters(
                arity = "0..*",
                paramLabel = "ARGUMENT",
                description = "the arguments for java: its options, the class or jar, the arguments of your program")
        private List<String> arguments = new ArrayList<>();

        @Override
        public Integer call() throws IOException, InterruptedException {
            if (arguments.isEmpty()) {
                throw new UsageException("the program is missing: galerna sockets run -jar app.jar");
            }
            List<String> options = new ArrayList<>();
            if (log) {
                options.add("log");
            }
            if (stats) {
                options.add("stats");
            }
            if (off) {
                options.add("off");
            }
            addPorts(options, "include", include);
            addPorts(options, "exclude", exclude);
            check(String.join(",", options));
            List<String> command = new ArrayList<>();
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.addAll(Agent.javaOptions(String.join(",", options))
                    .orElseThrow(() -> new UsageException("this works from galerna.jar only")));
            command.addAll(arguments);
            return ChildJvm.await(command, Path.of("").toAbsolutePath(), Duration.ZERO, () -> {});
        }

        private void check(String options) throws IOException, InterruptedException {
            JvmOptions.check(JdkWords.options(arguments));
            SettingsCheck.checkProperties(arguments, () -> {
                try {
                    Agent.check(options);
                } catch (IllegalArgumentException wrong) {
                    throw new UsageException(String.valueOf(wrong.getMessage()));
                }
            });
            JdkWords.complaint(arguments).ifPresent(complaint -> {
                throw new UsageException(complaint);
            });
        }

        private static void addPorts(List<String> options, String name, @Nullable String ports) {
            if (ports != null) {
                options.add(name + "=" + ports.replace(',', '+'));
            }
        }
    }
}
