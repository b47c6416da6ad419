package org.galerna.tools.tests;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** What Maven complains of in its log: {@code BuildErrors <log>} prints it. Warnings in sources are errors. */
public final class BuildErrors {
    private static final Pattern ERROR = Pattern.compile("ERROR|error:|WARNING.*\\.java:\\[");
    private static final Pattern NO_HELP =
            Pattern.compile("e-run Maven|\\[Help [0-9]+\\] http|^\\[ERROR\\] *$|For more information");
    private static final int LAST = 20;
    private static final int MOST = 30;

    private BuildErrors() {}

    /** Prints the errors of a log. */
    public static void main(String[] arguments) throws IOException {
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        of(Path.of(arguments[0])).forEach(line -> out.println(line));
    }

    /** The errors, or the end of the log if there are none. */
    static List<String> of(Path log) throws IOException {
        List<String> all = Lines.of(log);
        List<String> errors = all.stream().filter(ERROR.asPredicate()).toList();
        List<String> shown = (errors.isEmpty() ? Lines.last(all, LAST) : errors)
                .stream().filter(NO_HELP.asPredicate().negate()).toList();
        return Lines.last(shown, MOST);
    }
}
