package org.galerna.tools.tests;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Runs the tests of a checkout: {@code TestRun <root> <Maven> [--all|--adapters] [argument for Maven...]}. Ends with a list of
 * what failed and the sum of all modules; the status is 0 if nothing failed.
 */
public final class TestRun {
    private static final int QUOTED_LINES = 60;
    private static final String ADAPTER_TAG = "@Tag(\"adapter\")";

    /** Javac alone looks at the code of tests: Error Prone takes a minute for that of all modules. */
    private static final String PLAIN_TEST_CODE = "-Dcompiler.testPlugin=-proc:none";

    private final Path root;
    private final String maven;
    private final Tier tier;
    private final List<String> arguments;
    private final PrintStream out;

    /** Which tests are run. */
    private enum Tier {
        /**
         * Three modules at a time with one virtual machine of tests each: of two, both would often wait, for peers that do
         * not answer or for the one thread of a compilation, and leave a processor idle. Modules that others wait for have
         * two virtual machines.
         */
        FAST("verify", "-T3"),

        /** In the modules that have such tests. A virtual machine with adapters is alone: its ranks would take other tests the processors. */
        ADAPTERS(
                "test",
                "-Dtest.forksAlone=1",
                "-Dtest.forksLast=1",
                "-Dtest.forkSeconds=7200",
                "-Dgroups=adapter",
                "-Dtest.skipBetterCompiler=true",
                "-DskipChecks"),

        /** Tests of the slow tier are alone: they start many ranks, which would take each other's processors while they spin. */
        ALL(
                "verify",
                "-Dtest.forksAlone=1",
                "-Dtest.forksLast=1",
                "-DslowTests",
                "-DcurrentLibraries",
                "-Dcoverage",
                "-Dgalerna.test.decoder.inputs=100000",
                "-Dtest.compiler=-XX:+TieredCompilation");

        final List<String> words;

        Tier(String... words) {
            this.words = List.of(words);
        }

        static Tier of(List<String> arguments) {
            return switch (arguments.isEmpty() ? "" : arguments.getFirst()) {
                case "--all" -> ALL;
                case "--adapters" -> ADAPTERS;
                default -> FAST;
            };
        }
    }

    TestRun(Path root, String maven, List<String> arguments, PrintStream out) {
        this.root = root;
        this.maven = maven;
        this.tier = Tier.of(arguments);
        this.arguments = tier == Tier.FAST ? arguments : arguments.subList(1, arguments.size());
        this.out = out;
    }

    /** Runs the tests and ends this process. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        List<String> words = List.of(arguments);
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        TestRun run = new TestRun(Path.of(words.get(0)), words.get(1), words.subList(2, words.size()), out);
        System.exit(run.alone());
    }

    /** One run at a time in a checkout: two would write the same files. */
    int alone() throws IOException, InterruptedException {
        Path target = root.resolve("target");
        Files.createDirectories(target);
        try (FileChannel file =
                FileChannel.open(target.resolve("test.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            FileLock lock = file.tryLock();
            if (lock == null) {
                System.err.println("galerna: waiting for the build that is already running");
                lock = file.lock();
            }
            try {
                return run();
            } finally {
                lock.release();
            }
        }
    }

    private int run() throws IOException, InterruptedException {
        Path target = root.resolve("target");
        Path log = target.resolve("test.log");
        Path standstill = target.resolve("standstill.log");
        Path stamp = target.resolve("galerna.stamp");
        Path begun = target.resolve("galerna.stamp.begun");
        Reports.deleteOf(root);
        Files.deleteIfExists(target.resolve("stress.log"));
        Files.deleteIfExists(standstill);
        Files.deleteIfExists(begun);
        Files.createFile(begun);
        out.println("Building and testing (the whole log: " + log + ")");
        int status;
        MavenRun run = new MavenRun(root, maven, log, out);
        Optional<FormatCheck> format =
                looksAtFormat() ? Optional.of(FormatCheck.begin(root, maven, arguments, run::end)) : Optional.empty();
        try (Standstill _ = Standstill.watch(root, log, standstill, out)) {
            status = run.build(command());
        }
        List<String> violations = format.isPresent() ? format.get().violations() : List.of();
        boolean everything = status == 0 && violations.isEmpty() && arguments.isEmpty();
        if (everything && tier != Tier.ADAPTERS) {
            Files.move(
                    begun,
                    stamp,
                    StandardCopyOption.REPLACE_EXISTING); // what galerna.jar is made of has been built, too
        }
        Summary summary = new Summary(Reports.readOf(root), out);
        if (everything && tier == Tier.ALL) {
            summary.add(StressTests.run(root, out));
        }
        summary.printFailures();
        if (!violations.isEmpty()) {
            summary.addFailure("The formatting is not right, which counts as one failure:", violations);
        } else if (status != 0) {
            summary.addFailure("The build failed, which counts as one failure:", BuildErrors.of(log));
        } else {
            // Maven has been told to go on, and a machine that was killed leaves no report
            List<String> killed = killed(log);
            if (!killed.isEmpty()) {
                List<String> lines = new ArrayList<>(killed);
                lines.addAll(last(standstill));
                summary.addFailure("Tests did not end, which counts as one failure:", lines);
            } else {
                summary.failIfNothingWasRun();
            }
        }
        return summary.print();
    }

    /** Of all modules; of one, Maven looks at its end. */
    private boolean looksAtFormat() {
        return tier != Tier.ADAPTERS && !isGiven("-pl") && !isGiven("-DskipChecks");
    }

    private boolean isGiven(String word) {
        return arguments.stream().anyMatch(argument -> argument.startsWith(word));
    }

    /** Failed tests do not stop the run: every module is tested. One that fails is run once more; the sum says so if it passes. */
    private List<String> command() throws IOException {
        List<String> command = new ArrayList<>(tier.words);
        command.addAll(List.of(
                "-Dtest.forks=1",
                "-Dmaven.test.failure.ignore=true",
                "-Dsurefire.rerunFailingTestsCount=1",
                "-Dfailsafe.rerunFailingTestsCount=1"));
        if (tier == Tier.ADAPTERS && !isGiven("-DslowTests")) {
            command.add("-Dtest.excludedTags=slow"); // which outranks what the profile says
        }
        if (tier == Tier.ADAPTERS && !isGiven("-pl")) {
            command.addAll(List.of("-pl", String.join(",", modulesWithAdapterTests()), "-am"));
        }
        if (tier == Tier.FAST && !isGiven("-pl") && !isGiven("-DslowTests")) {
            command.add(PLAIN_TEST_CODE);
        }
        if (looksAtFormat()) {
            command.add(FormatCheck.SKIP);
        }
        command.addAll(arguments);
        return command;
    }

    private List<String> modulesWithAdapterTests() throws IOException {
        List<String> modules = new ArrayList<>();
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(root, Files::isDirectory)) {
            for (Path folder : folders) {
                Path tests = folder.resolve("src/test/java");
                if (Files.exists(tests) && hasAdapterTests(tests)) {
                    modules.add(folder.getFileName().toString());
                }
            }
        }
        modules.sort(null);
        return modules;
    }

    private static boolean hasAdapterTests(Path tests) throws IOException {
        try (Stream<Path> sources = Files.find(
                tests, Integer.MAX_VALUE, (path, _) -> path.toString().endsWith(".java"))) {
            for (Path source : sources.toList()) {
                if (Files.readString(source).contains(ADAPTER_TAG)) {
                    return true;
                }
            }
            return false;
        }
    }

    private static List<String> killed(Path log) throws IOException {
        return Lines.of(log).stream()
                .filter(line -> line.contains("ERROR") && line.contains(" timeout in the fork"))
                .sorted()
                .distinct()
                .toList();
    }

    private static List<String> last(Path standstill) throws IOException {
        return Files.exists(standstill) ? Lines.last(Lines.of(standstill), QUOTED_LINES) : List.of();
    }
}
