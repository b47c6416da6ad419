package org.galerna.tools.tests;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Looks whether the sources of all modules are formatted, beside the first modules that are built, which leave a processor
 * idle. A file that is not is told of within half a minute, instead of when its module has been tested.
 */
final class FormatCheck {
    /** For the build beside it, which need not look once more. */
    static final String SKIP = "-Dspotless.check.skip=true";

    private static final String MEND = "mvn spotless:apply -pl '!bom'";

    private final Path root;
    private final String maven;
    private final List<String> arguments;
    private final Runnable onViolation;
    private final FutureTask<List<String>> violations = new FutureTask<>(this::look);

    private FormatCheck(Path root, String maven, List<String> arguments, Runnable onViolation) {
        this.root = root;
        this.maven = maven;
        this.arguments = arguments;
        this.onViolation = onViolation;
    }

    /**
     * Begins to look.
     *
     * @param arguments for Maven
     * @param onViolation is called, by another thread, if a file is not formatted
     */
    static FormatCheck begin(Path root, String maven, List<String> arguments, Runnable onViolation) {
        FormatCheck check = new FormatCheck(root, maven, arguments, onViolation);
        Thread.ofPlatform().daemon().name("galerna-format").start(check.violations);
        return check;
    }

    private List<String> look() throws IOException, InterruptedException {
        Path log = root.resolve("target/format.log");
        List<String> words = new ArrayList<>(List.of("spotless:check", "--fail-at-end", "-T2", "-pl", "!bom"));
        words.addAll(arguments);
        if (new MavenRun(root, maven, log, new PrintStream(OutputStream.nullOutputStream())).run(words) == 0) {
            return List.of();
        }
        onViolation.run();
        List<String> lines = new ArrayList<>(BuildErrors.of(log));
        lines.add("This mends it: " + MEND);
        return lines;
    }

    /** What is wrong, and how to mend it; nothing if all is well. Waits until that is known. */
    List<String> violations() throws IOException, InterruptedException {
        try {
            return violations.get();
        } catch (ExecutionException cannotLook) {
            throw new IOException("nobody could look at the formatting", cannotLook.getCause());
        }
    }
}
