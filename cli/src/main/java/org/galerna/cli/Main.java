package org.galerna.cli;

import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Objects;
import org.galerna.launch.report.ExitStatus;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command {@code galerna}. */
@Command(
        name = "galerna",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "Message passing for Java: run MPJ programs in parallel, and measure.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            DemoCommand.class,
            RunCommand.class,
            SocketsCommand.class,
            BenchCommand.class,
            TuneCommand.class,
            DoctorCommand.class
        })
public final class Main implements Runnable {
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
        CommandLine line = commandLine(arguments);
        line.setParameterExceptionHandler(Main::explain);
        line.setExecutionExceptionHandler((failure, command, parsed) -> {
            if (failure instanceof UsageException) {
                return complain(command, failure.getMessage());
            }
            throw failure;
        });
        return line.execute(words(arguments));
    }

    /** What understands these arguments. */
    static CommandLine commandLine(String... arguments) {
        return isRun(arguments) ? runAlone() : all();
    }

    /** The arguments as {@link #commandLine} wants them. */
    static String[] words(String... arguments) {
        String[] words = RunCommand.withJvmOptionsMarked(arguments);
        return isRun(arguments) ? Arrays.copyOfRange(words, 1, words.length) : words;
    }

    private static boolean isRun(String... arguments) {
        return arguments.length > 0 && arguments[0].equals("run");
    }

    /** To describe all the other commands takes longer than to start a rank. */
    private static CommandLine runAlone() {
        CommandLine line = new CommandLine(new RunCommand());
        line.setCommandName("galerna run");
        line.setStopAtPositional(true);
        return line;
    }

    private static CommandLine all() {
        CommandLine line = new CommandLine(new Main());
        line.setStopAtPositional(true); // what follows a main class is the program's
        subcommand(subcommand(line, "bench"), "report").setStopAtPositional(false);
        // what is not known here is Java's, or the program's
        subcommand(subcommand(line, "sockets"), "run").setUnmatchedOptionsArePositionalParams(true);
        subcommand(line, "tune").setStopAtPositional(false); // it takes options of run, and their values
        return line;
    }

    private static CommandLine subcommand(CommandLine line, String name) {
        return Objects.requireNonNull(line.getSubcommands().get(name), name);
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing");
    }

    /** One line that says what is wrong, one that says where to read on. */
    private static int explain(ParameterException failure, String[] arguments) {
        CommandLine command = failure.getCommandLine();
        boolean noSuchCommand = failure instanceof UnmatchedArgumentException unmatched
                && command.getParent() == null
                && !unmatched.isUnknownOption();
        int status = complain(
                command, noSuchCommand ? "there is no command \"" + arguments[0] + "\"" : failure.getMessage());
        UnmatchedArgumentException.printSuggestions(failure, command.getErr());
        return status;
    }

    private static int complain(CommandLine command, @Nullable String message) {
        PrintWriter err = command.getErr();
        String name = command.getCommandSpec().qualifiedName();
        err.println(name + ": " + message + " (" + name + " --help says what there is)");
        err.flush();
        return ExitStatus.USAGE;
    }
}
