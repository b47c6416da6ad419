package org.galerna.launch.process;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import org.galerna.launch.BindTo;
import org.galerna.launch.Job;
import org.galerna.launch.JobCost;
import org.galerna.launch.JobEnd;
import org.galerna.launch.ThreadJob;
import org.galerna.link.CommunicationException;
import org.galerna.link.Wireup;
import org.galerna.link.settings.Setting;
import org.galerna.link.wireup.WireupProvider;

/**
 * Turns a program that nobody has launched into a job, if a system property asks for ranks: the call of {@code MPI.Init}
 * runs the program once more on every rank, and ends this JVM with the status of the job. So it never returns.
 */
public final class PlainStart implements WireupProvider {
    /** System property: number of ranks, as threads of this JVM. */
    public static final String RANKS = "galerna.ranks";

    /** System property: number of ranks, as processes. */
    public static final String PROCESSES = "galerna.procs";

    /** Behind all launchers: a rank that one of them has started is a rank. */
    private static final int LAST = 1000;

    /** What runs tests: it would be started on every rank. */
    private static final List<String> TEST_RUNNERS = List.of(
            "org.apache.maven.", "worker.org.gradle.", "org.gradle.", "com.intellij.", "org.eclipse.", "org.junit.");

    private static final Path COMMAND = Path.of("/proc/self/cmdline");

    /** For {@link java.util.ServiceLoader}. */
    public PlainStart() {}

    @Override
    public String name() {
        return "properties";
    }

    @Override
    public int precedence() {
        return LAST;
    }

    @Override
    public Optional<Wireup> detect(Map<String, String> environment) {
        Optional<Integer> threads = number(RANKS);
        Optional<Integer> processes = number(PROCESSES);
        if (threads.isEmpty() && processes.isEmpty()) {
            return Optional.empty();
        }
        if (threads.isPresent() && processes.isPresent()) {
            throw new CommunicationException(RANKS + " and " + PROCESSES + " both ask for ranks: set one of them");
        }
        Program program = Program.ofThisJvm();
        JobCost.noRoom(processes.or(() -> threads).orElseThrow(), processes.isPresent())
                .ifPresent(reason -> {
                    throw new CommunicationException(reason);
                });
        System.clearProperty(RANKS);
        System.clearProperty(PROCESSES);
        JobEnd.run(
                processes.isPresent()
                        ? program.asProcesses(processes.get())
                        : program.asThreads(threads.orElseThrow()));
        throw new IllegalStateException("after the end");
    }

    private static Optional<Integer> number(String property) {
        Setting<Long> ranks = Setting.count(property, "a number of ranks", 0, 1, Long.MAX_VALUE, "");
        try {
            return ranks.isSet() ? Optional.of(Math.toIntExact(ranks.get())) : Optional.empty();
        } catch (IllegalArgumentException | ArithmeticException wrong) {
            throw new CommunicationException(String.valueOf(wrong.getMessage()));
        }
    }

    /** What this JVM was started to run. */
    private record Program(String mainClass, List<String> arguments, String classPath) {
        static Program ofThisJvm() {
            String command = System.getProperty("sun.java.command", "");
            List<String> words = words(command);
            if (command.isEmpty()
                    || (words.getFirst().contains("/") && !words.getFirst().endsWith(".jar"))) {
                throw new CommunicationException(
                        RANKS + " and " + PROCESSES + " are for programs on the class path; use galerna run -n");
            }
            String main = words.getFirst();
            if (TEST_RUNNERS.stream().anyMatch(main::startsWith)) {
                throw new CommunicationException(RANKS + " and " + PROCESSES
                        + " are for whole programs; in a test use Ranks.of(4), see docs/testing.md");
            }
            return new Program(
                    main.endsWith(".jar") ? mainOf(Path.of(main)) : main,
                    words.subList(1, words.size()),
                    System.getProperty("java.class.path", ""));
        }

        /** The main class and its arguments; words with blanks in them show in the command of the system alone. */
        private static List<String> words(String command) {
            List<String> plain = List.of(command.split(" ", -1));
            try {
                String all = Files.readString(COMMAND, StandardCharsets.UTF_8);
                List<String> words = Arrays.asList(all.split("\0", -1));
                List<String> ofSystem = words.subList(0, Math.max(0, words.size() - 1)); // each word has an end
                for (int from = ofSystem.size() - 1; from >= 0; from--) {
                    List<String> end = ofSystem.subList(from, ofSystem.size());
                    if (String.join(" ", end).equals(command)) {
                        return List.copyOf(end);
                    }
                }
            } catch (IOException elsewhere) {
                return plain;
            }
            return plain;
        }

        private static String mainOf(Path jar) {
            try (JarFile file = new JarFile(jar.toFile())) {
                Manifest manifest = file.getManifest();
                String main =
                        manifest == null ? null : manifest.getMainAttributes().getValue(Attributes.Name.MAIN_CLASS);
                if (main != null) {
                    return main.strip();
                }
            } catch (IOException unreadable) {
                throw new CommunicationException(jar + " cannot be read: " + unreadable.getMessage(), unreadable);
            }
            throw new CommunicationException(jar + " names no main class");
        }

        Job asThreads(int ranks) {
            return ThreadJob.builder()
                    .ranks(ranks)
                    .mainClass(mainClass)
                    .arguments(arguments)
                    .bindTo(BindTo.AUTO)
                    .build();
        }

        Job asProcesses(int ranks) {
            List<String> options = new ArrayList<>();
            for (String option : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
                boolean ofThisStart = option.startsWith("-D" + RANKS) || option.startsWith("-D" + PROCESSES);
                // a debugger has one port
                if (!ofThisStart && !option.startsWith("-agentlib:jdwp") && !option.startsWith("-Xrunjdwp")) {
                    options.add(option);
                }
            }
            return ProcessJob.builder()
                    .ranks(ranks)
                    .classPath(classPath.isEmpty() ? "." : classPath)
                    .mainClass(mainClass)
                    .arguments(arguments)
                    .jvmOptions(options)
                    .build();
        }
    }
}
