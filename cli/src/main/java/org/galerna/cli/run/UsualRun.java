package org.galerna.cli.run;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the usual command lines of {@code galerna run}: a number of ranks, a class path, processes, labels, and the program.
 * The library that reads all others takes longer to describe the options than ranks take to start.
 */
public final class UsualRun {
    private static final Set<String> RANKS = Set.of("-n", "-np", "--ranks");
    private static final Set<String> CLASS_PATH = Set.of("-cp", "-classpath", "--class-path");
    private static final String PROCESSES = "--procs";
    private static final String LABEL = "--label";

    /** No number of ranks has more; longer ones may be too large. */
    private static final int DIGITS = 9;

    private final String[] words;
    private int next;

    private @Nullable Integer ranks;
    private @Nullable String classPath;
    private boolean processes;
    private boolean labelled;

    private UsualRun(String[] words) {
        this.words = words;
    }

    /**
     * The command with what these words say; null for any other words, be they right or wrong.
     *
     * @param words what follows {@code run}
     */
    public static @Nullable RunCommand read(String... words) {
        return new UsualRun(words).read();
    }

    private @Nullable RunCommand read() {
        while (next < words.length && words[next].startsWith("-")) {
            if (!readOption(words[next++])) {
                return null;
            }
        }
        List<String> program = Arrays.asList(words).subList(next, words.length);
        // the library knows what two hyphens mean among positional arguments
        return program.isEmpty() || program.contains("--")
                ? null
                : RunCommand.of(ranks, classPath, processes, labelled, program);
    }

    /** False if it is another option, or is given twice, or has no usual value. */
    private boolean readOption(String option) {
        if (RANKS.contains(option) && ranks == null) {
            ranks = number();
            return ranks != null;
        }
        if (CLASS_PATH.contains(option) && classPath == null) {
            classPath = value();
            return classPath != null;
        }
        if (option.equals(PROCESSES) && !processes) {
            processes = true;
            return true;
        }
        if (option.equals(LABEL) && !labelled) {
            labelled = true;
            return true;
        }
        return false;
    }

    private @Nullable String value() {
        if (next == words.length || words[next].isEmpty() || words[next].startsWith("-")) {
            return null;
        }
        return words[next++];
    }

    private @Nullable Integer number() {
        String value = value();
        if (value == null || value.length() > DIGITS) {
            return null;
        }
        for (int each = 0; each < value.length(); each++) {
            if (value.charAt(each) < '0' || value.charAt(each) > '9') {
                return null;
            }
        }
        return Integer.valueOf(value);
    }
}
