package org.galerna.cli;

import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.galerna.cli.bench.BenchCommand;
import org.galerna.cli.doctor.DoctorCommand;
import org.galerna.cli.observe.JobsCommand;
import org.galerna.cli.observe.TopCommand;
import org.galerna.cli.observe.WhereCommand;
import org.galerna.cli.options.SettingsCheck;
import org.galerna.cli.run.JdkCommands;
import org.galerna.cli.run.RunCommand;
import org.galerna.cli.run.SocketsCommand;
import org.galerna.cli.run.UsualRun;
import org.galerna.cli.source.SourceException;
import org.galerna.cli.usage.Complaint;
import org.galerna.cli.usage.UsageException;
import org.galerna.cli.usage.Version;
import org.galerna.launch.report.ExitStatus;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;

/** The command {@code galerna}. */
@Command(
        name = "galerna",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "Message passing for Java: runs MPI programs in parallel, and measures.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            RunCommand.class,
            SocketsCommand.class,
            JdkCommands.Javac.class,
            JdkCommands.Java.class,
            DemoCommand.class,
            NasCommand.class,
            BenchCommand.class,
            TuneCommand.class,
            ModelCommand.class,
            JobsCommand.class,
            TopCommand.class,
            WhereCommand.class,
            DoctorCommand.class,
            JdkCommands.Jar.class,
            JdkCommands.JavaHome.class,
            JdkCommands.Install.class,
            JdkCommands.Javadoc.class,
            JdkCommands.Test.class
        })
public final class Main implements Runnable {
    private static final String HELP = "help";

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    /** For picocli. */
    @SuppressWarnings("NullAway.Init") // picocli sets the spec
    public Main() {}

    /** Runs a command and ends the JVM with its exit status. */
    public static void main(String[] arguments) {
        System.exit(execute(arguments));
    }

    /** Runs a command; returns its exit status. */
    static int execute(String... arguments) {
        if (arguments.length == 0 || List.of(HELP, "--help", "-h").contains(arguments[0])) {
            return help(arguments);
        }
        try {
            SettingsCheck.checkVariables(System.getenv().keySet());
            SettingsCheck.checkProperties();
        } catch (UsageException wrong) {
            System.err.println("galerna: " + wrong.getMessage());
            return ExitStatus.USAGE;
        }
        RunCommand usual = isRun(arguments) ? UsualRun.read(afterCommand(arguments)) : null;
        return usual == null ? executeAny(arguments) : execute(usual);
    }

    private static int execute(RunCommand usual) {
        try {
            return usual.call();
        } catch (Exception failure) {
            CommandLine line = runAlone();
            try {
                return complain(failure, line);
            } catch (Exception unforeseen) {
                throw new IllegalStateException(unforeseen);
            }
        }
    }

    private static int executeAny(String... arguments) {
        CommandLine line = commandLine(arguments);
        line.setParameterExceptionHandler((failure, _) -> Complaint.about(failure));
        line.setExecutionExceptionHandler((failure, command, parsed) -> complain(failure, command));
        line.setExecutionStrategy(parsed -> {
            int status = Complaint.aboutEmptyValues(parsed);
            return status == ExitStatus.OK ? new CommandLine.RunLast().execute(parsed) : status;
        });
        return line.execute(words(arguments));
    }

    /** Says what has failed; returns the exit status. */
    private static int complain(Exception failure, CommandLine command) throws Exception {
        return switch (failure) {
            case UsageException wrong -> Complaint.say(command, String.valueOf(wrong.getMessage()));
            case SourceException errors
            when errors.isExplained() -> {
                command.getErr().println("error: " + errors.getMessage()); // as java says it
                yield ExitStatus.FAILED;
            }
            case SourceException wrong -> Complaint.say(command, String.valueOf(wrong.getMessage()));
            case UncheckedIOException failed -> {
                command.getErr().println(command.getCommandSpec().qualifiedName() + ": " + failed.getMessage());
                yield ExitStatus.FAILED;
            }
            default -> throw failure;
        };
    }

    private static String[] afterCommand(String... arguments) {
        return Arrays.copyOfRange(arguments, 1, arguments.length);
    }

    /** What understands these arguments. */
    static CommandLine commandLine(String... arguments) {
        return isRun(arguments) ? runAlone() : all();
    }

    /** The arguments as {@link #commandLine} wants them. */
    static String[] words(String... arguments) {
        String[] words = RunCommand.withJvmOptionsMarked(arguments);
        return isRun(arguments) ? afterCommand(words) : words;
    }

    private static boolean isRun(String... arguments) {
        return arguments.length > 0 && arguments[0].equals("run");
    }

    private static int help(String... arguments) {
        if (arguments.length < 2) {
            System.out.print(Help.text());
            System.out.flush();
            return ExitStatus.OK;
        }
        CommandLine line = all();
        for (String word : List.of(arguments).subList(1, arguments.length)) {
            CommandLine next = line.getSubcommands().get(word);
            if (next == null && line.getParent() == null && word.equals(HELP)) {
                return help();
            }
            if (next == null) {
                return Complaint.noCommand(line, word);
            }
            line = next;
        }
        line.usage(line.getOut());
        return ExitStatus.OK;
    }

    /** To describe all the other commands takes longer than to start a rank. */
    private static CommandLine runAlone() {
        CommandLine line = new CommandLine(new RunCommand());
        line.setCommandName("galerna run");
        line.setStopAtPositional(true);
        line.setExpandAtFiles(false); // a word of the program's
        return line;
    }

    static CommandLine all() {
        CommandLine line = new CommandLine(new Main());
        line.setExpandAtFiles(false);
        line.setStopAtPositional(true); // what follows a main class is the program's
        for (String tool : List.of("java", "javac", "install", "javadoc", "test")) {
            subcommand(line, tool).setStopAtUnmatched(true);
        }
        for (String command : List.of("top", "where")) {
            subcommand(line, command).setStopAtPositional(false);
        }
        subcommand(subcommand(line, "bench"), "report").setStopAtPositional(false);
        // what is not known here is Java's, or the program's
        subcommand(subcommand(line, "sockets"), "run").setUnmatchedOptionsArePositionalParams(true);
        // these take options of run, and their values
        for (String command : List.of("nas", "tune", "model")) {
            subcommand(line, command).setStopAtPositional(false);
        }
        return line;
    }

    private static CommandLine subcommand(CommandLine line, String name) {
        return Objects.requireNonNull(line.getSubcommands().get(name), name);
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing");
    }
}
