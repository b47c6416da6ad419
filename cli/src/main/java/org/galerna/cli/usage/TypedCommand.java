package org.galerna.cli.usage;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;

/** A command line as somebody may type it again. */
public final class TypedCommand {
    /** What a shell leaves as it is. */
    private static final Pattern PLAIN = Pattern.compile("[\\w@%+=:,./-]+");

    private TypedCommand() {}

    /** The command line that a command is part of. */
    public static String of(CommandSpec spec) {
        List<String> words = new ArrayList<>(List.of(spec.root().name()));
        words.addAll(spec.root().commandLine().getParseResult().originalArgs());
        return of(words);
    }

    static String of(List<String> words) {
        return words.stream().map(TypedCommand::quoted).collect(Collectors.joining(" "));
    }

    private static String quoted(String word) {
        return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
