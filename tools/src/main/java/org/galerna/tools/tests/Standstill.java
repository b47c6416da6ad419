package org.galerna.tools.tests;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * While the tests run: whenever the log has not grown for a long time, says in which tests the virtual machines are, so that
 * one that hangs is named even if somebody else ends the run.
 */
final class Standstill implements AutoCloseable {
    /** Without a sign of life for so long, the tests under way are named. */
    private static final Duration PATIENCE = Duration.ofSeconds(150);

    private static final long LOOK_SECONDS = 5;
    private static final long STACKS_SECONDS = 30;
    private static final int MOST_LINES = 60;
    private static final int MOST_FRAMES = 12;
    private static final Path PROCESSES = Path.of("/proc");

    /** Frames of the JDK and of what runs the tests. */
    private static final Pattern FOREIGN =
            Pattern.compile("\\((java|jdk)\\.[a-z.]*@|org\\.junit\\.|org\\.apache\\.maven\\.");

    private final Path root;
    private final Path log;
    private final Path record;
    private final PrintStream out;
    private final CountDownLatch over = new CountDownLatch(1);

    private Standstill(Path root, Path log, Path record, PrintStream out) {
        this.root = root;
        this.log = log;
        this.record = record;
        this.out = out;
    }

    /**
     * Begins to watch, until this is closed.
     *
     * @param log grows while something happens
     * @param record gets a copy of what is said
     */
    static Standstill watch(Path root, Path log, Path record, PrintStream out) {
        Standstill standstill = new Standstill(root, log, record, out);
        Thread.ofPlatform().daemon().name("galerna-standstill").start(standstill::watch);
        return standstill;
    }

    private void watch() {
        try {
            long length = -1;
            long since = System.nanoTime();
            while (!over.await(LOOK_SECONDS, TimeUnit.SECONDS)) {
                long now = Files.exists(log) ? Files.size(log) : -1;
                if (now != length) {
                    length = now;
                    since = System.nanoTime();
                } else if (System.nanoTime() - since >= PATIENCE.toNanos()) {
                    since = System.nanoTime();
                    tell();
                }
            }
        } catch (IOException | InterruptedException cannotLook) {
            out.println("galerna: nobody watches for tests that hang any more: " + cannotLook);
        }
    }

    private void tell() throws IOException, InterruptedException {
        for (String machine : machines(PROCESSES, root)) {
            List<String> lines = new ArrayList<>();
            lines.add(
                    "Nothing has happened for " + PATIENCE.toSeconds() + " s in the tests of process " + machine + ":");
            lines.addAll(inTests(stacks(machine)));
            String text = String.join("\n", lines) + "\n";
            Files.writeString(record, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            out.print(text);
            out.flush();
        }
    }

    /** The virtual machines of this checkout that tests run in. */
    static List<String> machines(Path processes, Path root) throws IOException {
        Pattern line = Pattern.compile("^[^ ]*/java .* " + Pattern.quote(root + "/") + "[^ ]*/surefirebooter");
        List<String> machines = new ArrayList<>();
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(processes, "[0-9]*")) {
            for (Path folder : folders) {
                if (line.matcher(commandLine(folder)).find()) {
                    machines.add(folder.getFileName().toString());
                }
            }
        }
        return machines;
    }

    private static String commandLine(Path process) {
        try {
            return Files.readString(process.resolve("cmdline"), StandardCharsets.ISO_8859_1)
                    .replace('\0', ' ');
        } catch (IOException ended) {
            return "";
        }
    }

    private static String stacks(String machine) throws IOException, InterruptedException {
        Path jstack = Path.of(System.getProperty("java.home"), "bin", "jstack");
        Path text = Files.createTempFile("galerna-stacks", ".txt");
        try {
            Process process = new ProcessBuilder(jstack.toString(), machine)
                    .redirectErrorStream(true)
                    .redirectOutput(text.toFile())
                    .start();
            if (!process.waitFor(STACKS_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
            return Files.readString(text, StandardCharsets.ISO_8859_1);
        } finally {
            Files.deleteIfExists(text);
        }
    }

    /** Of each thread with frames of a test, its name and these frames. */
    static List<String> inTests(String stacks) {
        List<String> lines = new ArrayList<>();
        for (String thread : stacks.split("\n\n+", -1)) {
            List<String> all = thread.strip().lines().toList();
            List<String> frames = all.stream()
                    .skip(2)
                    .filter(line ->
                            line.contains("at ") && !FOREIGN.matcher(line).find())
                    .limit(MOST_FRAMES)
                    .map(line -> "    " + line.strip())
                    .toList();
            if (!frames.isEmpty()) {
                lines.add("  " + all.getFirst().split(" #", 2)[0]);
                lines.addAll(frames);
            }
        }
        return lines.size() <= MOST_LINES ? lines : lines.subList(0, MOST_LINES);
    }

    @Override
    public void close() {
        over.countDown();
    }
}
