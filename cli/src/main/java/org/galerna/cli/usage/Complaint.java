package org.galerna.cli.usage;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.galerna.launch.report.ExitStatus;
import org.galerna.link.settings.Spelling;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.OverwrittenOptionException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** What is wrong with a command line, in one line. */
public final class Complaint {
    private static final String RUN = "run";

    private static final String WHOLE = "a whole number";
    private static final Pattern DIGITS = Pattern.compile("[0-9]+");

    private static final Map<Class<?>, String> TYPES = Map.of(
            int.class, WHOLE,
            Integer.class, WHOLE,
            long.class, WHOLE,
            Long.class, WHOLE,
            double.class, "a number",
            Double.class, "a number");

    /** The end of a sentence about a value that has no text. */
    public static final String EMPTY = " is empty, perhaps because a variable of the shell is not set";

    /** Options whose value may be empty: a class path names the current folder then, as for {@code java}. */
    private static final Set<String> MAY_BE_EMPTY = Set.of("-cp", "-p", "--title");

    private Complaint() {}

    /** Says what is wrong; returns the exit status. */
    public static int about(ParameterException failure) {
        CommandLine command = failure.getCommandLine();
        return switch (failure) {
            case UnmatchedArgumentException unmatched -> unmatched(command, unmatched);
            case MissingParameterException missing -> say(command, missing(missing));
            case OverwrittenOptionException twice
            when twice.getOverwritten() instanceof OptionSpec option ->
                say(command, option.names()[0] + " is given twice");
            default -> say(command, ofValue(failure));
        };
    }

    private static int unmatched(CommandLine command, UnmatchedArgumentException unmatched) {
        String word = unmatched.getUnmatched().getFirst();
        if (!word.startsWith("-")) {
            return command.getSubcommands().isEmpty()
                    ? say(command, "\"" + word + "\" is one argument too many")
                    : noCommand(command, word);
        }
        int equals = word.indexOf('=');
        String name = equals < 0 ? word : word.substring(0, equals);
        List<String> names = new ArrayList<>();
        command.getCommandSpec().options().forEach(option -> names.addAll(List.of(option.names())));
        String hint = hint(command, name, Spelling.didYouMean(name, names));
        boolean isRun = command.getCommandSpec().qualifiedName().endsWith(" " + RUN);
        return say(
                command, "there is no option " + name + (isRun ? MpjExpressWords.insteadOfOption(name, hint) : hint));
    }

    /** An option that stands before its command is not misspelled. */
    private static String hint(CommandLine command, String option, String otherwise) {
        return command.getSubcommands().values().stream()
                .filter(each -> each.getCommandSpec().findOption(option) != null)
                .findFirst()
                .map(each -> " here; it follows its command: "
                        + each.getCommandSpec().qualifiedName() + " " + option)
                .orElse(otherwise);
    }

    /** Says which option of the command line has an empty value; returns the exit status, or 0 if there is none. */
    public static int aboutEmptyValues(ParseResult parsed) {
        for (ParseResult each = parsed; each != null; each = each.subcommand()) {
            for (OptionSpec option : each.matchedOptions()) {
                if (!MAY_BE_EMPTY.contains(option.names()[0])
                        && option.arity().max() > 0
                        && option.originalStringValues().stream().anyMatch(String::isBlank)) {
                    return say(each.commandSpec().commandLine(), option.names()[0] + EMPTY);
                }
            }
        }
        return ExitStatus.OK;
    }

    public static int noCommand(CommandLine command, String word) {
        List<String> names = new ArrayList<>(command.getSubcommands().keySet());
        if (command.getParent() == null) {
            names.add("help");
        }
        String hint = Spelling.didYouMean(word, names);
        return say(
                command,
                "there is no command \"" + word + "\""
                        + (hint.isEmpty() && names.contains(RUN) ? hintOfProgram(command, word) : hint));
    }

    /** A program in place of a command. */
    private static String hintOfProgram(CommandLine command, String word) {
        boolean jar = word.endsWith(".jar");
        boolean program = jar || word.contains(".") || word.contains("/") || word.matches("[A-Z].*");
        return program
                ? "; to run a program: " + command.getCommandSpec().qualifiedName() + " " + RUN + (jar ? " -jar " : " ")
                        + word
                : "";
    }

    private static String missing(MissingParameterException failure) {
        List<ArgSpec> missing = failure.getMissing();
        if (missing.size() == 1 && missing.getFirst() instanceof OptionSpec option) {
            return option.names()[0] + " needs a value: " + option.paramLabel();
        }
        return missing.isEmpty()
                ? String.valueOf(failure.getMessage())
                : missing.getFirst().paramLabel() + " is missing";
    }

    private static String ofValue(ParameterException failure) {
        String type = failure.getArgSpec() == null ? null : typeOf(failure.getArgSpec());
        if (failure.getArgSpec() instanceof OptionSpec option && type != null && failure.getValue() != null) {
            if (WHOLE.equals(type) && DIGITS.matcher(failure.getValue()).matches()) {
                return option.names()[0] + ": " + failure.getValue() + " is too large";
            }
            return option.names()[0] + " takes " + type + ", not \"" + failure.getValue() + "\"";
        }
        return String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
    }

    private static @Nullable String typeOf(ArgSpec argument) {
        Class<?>[] types = argument.auxiliaryTypes();
        return TYPES.get(types.length == 0 ? argument.type() : types[0]);
    }

    /** Says what is wrong; returns the exit status. */
    public static int say(CommandLine command, String message) {
        PrintWriter err = command.getErr();
        String name = command.getCommandSpec().qualifiedName();
        err.println(name + ": " + message + " (see " + name + " --help)");
        err.flush();
        return ExitStatus.USAGE;
    }
}
