package org.galerna.cli.options;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.galerna.cli.usage.UsageException;

/** Tells the virtual machine's options from those of {@code galerna run}. */
public final class JvmOptions {
    /** Those that begin like this are the virtual machine's, whatever follows. */
    private static final List<String> PREFIXES = List.of(
            "-X",
            "-D",
            "-ea",
            "-da",
            "-esa",
            "-dsa",
            "-enableassertions",
            "-disableassertions",
            "-agentlib:",
            "-agentpath:",
            "-javaagent:",
            "-verbose",
            "-splash:",
            "--enable-preview",
            "--add-modules=",
            "--add-opens=",
            "--add-exports=",
            "--add-reads=",
            "--limit-modules=",
            "--patch-module=",
            "--enable-native-access=",
            "--sun-misc-unsafe-memory-access=",
            "--illegal-native-access=",
            "--finalization=");

    /** Those of the virtual machine whose value is the next word. */
    private static final Set<String> WITH_VALUE = Set.of(
            "--add-modules",
            "--add-opens",
            "--add-exports",
            "--add-reads",
            "--limit-modules",
            "--patch-module",
            "--enable-native-access");

    /** Options of {@code run} whose value is the next word: it is not to be mistaken for the main class. */
    private static final Set<String> OWN_WITH_VALUE = Set.of(
            "-n",
            "-np",
            "--ranks",
            "-cp",
            "-classpath",
            "--class-path",
            "-class",
            "--class",
            "-p",
            "--module-path",
            "-dev",
            "--device",
            DeviceSettings.OPTION,
            "-wdir",
            "--wdir",
            "--bind-to",
            "--timeout",
            "--deadlock-timeout",
            "--hosts",
            "-hosts",
            "--hostfile",
            "-hostfile",
            "-machinefile",
            "--ranks-per-process",
            "--launcher",
            "--ssh-command",
            "--java",
            "-J",
            "--jvm-option");

    /** Options of {@code run} whose value is the program: what follows it is the program's. */
    private static final Set<String> NAMING_THE_PROGRAM = Set.of("-jar", "--jar", "-m", "--module");

    private static final Pattern WRITING =
            Pattern.compile("(?i)file|path|archive|record|log|dump|OnError|OnOutOfMemory|aot|flags|-Xrun|share");

    private static final Pattern AGENT = Pattern.compile("-(?:javaagent|agentpath):([^=]+)(?:=.*)?");

    /** Lines that Java adds to what it has to say. */
    private static final Pattern USUAL_WORDS =
            Pattern.compile("^(Error: (Could not create|A fatal)|Error occurred|(NOTE: )?Picked up)");

    private JvmOptions() {}

    /** The arguments with each option of the virtual machine before the main class turned into {@code option=value}. */
    public static String[] mark(String option, String... arguments) {
        List<String> marked = new ArrayList<>();
        int next = 0;
        marked.add(arguments[next++]);
        while (next < arguments.length && arguments[next].startsWith("-")) {
            String word = arguments[next++];
            if (WITH_VALUE.contains(word) && next < arguments.length) {
                marked.add(option + "=" + word + "=" + arguments[next++]);
            } else if (isJvmOption(word)) {
                marked.add(option + "=" + word);
            } else {
                marked.add(word);
                if (NAMING_THE_PROGRAM.contains(word)) {
                    addRest(marked, arguments, next);
                    return marked.toArray(String[]::new);
                }
                if (NAMING_THE_PROGRAM.stream().anyMatch(name -> word.startsWith(name + "="))) {
                    marked.add("--");
                    break;
                }
                if (OWN_WITH_VALUE.contains(word) && next < arguments.length) {
                    marked.add(arguments[next++]);
                }
            }
        }
        for (; next < arguments.length; next++) {
            marked.add(arguments[next]);
        }
        return marked.toArray(String[]::new);
    }

    /** As with {@code java -jar}: what follows the jar, or the module, is the program's. */
    private static void addRest(List<String> marked, String[] arguments, int from) {
        for (int each = from; each < arguments.length; each++) {
            marked.add(arguments[each]);
            if (each == from && each + 1 < arguments.length) {
                marked.add("--");
            }
        }
    }

    /**
     * Asks Java whether it takes these options: it would say so in three lines, once for each process of ranks. Those that
     * make it write a file, or run an agent, are not tried.
     *
     * @param options words that do not begin with a hyphen are values of those before them
     */
    public static void check(List<String> options) throws IOException, InterruptedException {
        for (String option : options) {
            Matcher agent = AGENT.matcher(option);
            if (agent.matches() && !Files.isRegularFile(Path.of(agent.group(1)))) {
                throw new UsageException(option + ": there is no file " + agent.group(1));
            }
        }
        List<String> tried = options.stream().filter(JvmOptions::isToBeTried).toList();
        if (tried.isEmpty()) {
            return;
        }
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(tried);
        command.add("-version");
        Process java = new ProcessBuilder(command).redirectErrorStream(true).start();
        java.getOutputStream().close();
        String said = new String(java.getInputStream().readAllBytes(), Charset.defaultCharset());
        if (java.waitFor() != 0) {
            throw new UsageException("Java does not take "
                    + String.join(" ", tried) + ": "
                    + said.lines()
                            .filter(line -> !USUAL_WORDS.matcher(line).find())
                            .findFirst()
                            .orElse("it does not start"));
        }
    }

    private static boolean isToBeTried(String option) {
        return option.startsWith("-X")
                ? !WRITING.matcher(option).find()
                : option.startsWith("-") && !isJvmOption(option) && !WITH_VALUE.contains(option);
    }

    private static boolean isJvmOption(String word) {
        return PREFIXES.stream().anyMatch(word::startsWith);
    }
}
