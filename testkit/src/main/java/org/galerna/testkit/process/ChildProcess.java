package org.galerna.testkit.process;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.galerna.testkit.Deadline;
import org.jspecify.annotations.Nullable;

/** A process whose output a test reads while it runs. Closing it kills it, if it is still alive. */
public final class ChildProcess implements AutoCloseable {
    private static final Duration TO_STOP = Duration.ofSeconds(30);

    private final Process process;
    private final Collector out;
    private final Collector err;

    private ChildProcess(Process process) {
        this.process = process;
        this.out = new Collector(process.getInputStream());
        this.err = new Collector(process.getErrorStream());
    }

    /** Starts a command. */
    public static ChildProcess start(List<String> command) {
        return start(new ProcessBuilder(command));
    }

    /** Starts what the builder describes. */
    public static ChildProcess start(ProcessBuilder builder) {
        try {
            return new ChildProcess(builder.start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The command that runs a class in a JVM like this one, with the same class path. */
    public static List<String> java(List<String> options, Class<?> main, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-XX:TieredStopAtLevel=1");
        if (options.stream().noneMatch(option -> option.matches("-XX:\\+Use\\w+GC"))) {
            command.add("-XX:+UseSerialGC"); // starts sooner than others
        }
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(arguments);
        return command;
    }

    /** The process's id. */
    public long pid() {
        return process.pid();
    }

    /** The processes that it has started and that are alive. */
    public List<ProcessHandle> children() {
        return process.descendants().toList();
    }

    /** What it has written to its standard output so far. */
    public String out() {
        return out.text();
    }

    /** Has what it writes to its standard output written elsewhere, too. */
    public void copyOut(PrintStream copy) {
        out.copyTo(copy);
    }

    /** What it has written to its standard error output so far. */
    public String err() {
        return err.text();
    }

    /** Waits until the standard output is as expected; fails as soon as it ends without. */
    public void awaitOut(Predicate<String> expected, Duration longest) throws InterruptedException {
        try {
            out.await(expected, longest);
        } catch (AssertionError unexpected) {
            throw new AssertionError(unexpected.getMessage() + "\nand to standard error output: " + err(), unexpected);
        }
    }

    /** Waits until the standard error output is as expected; fails as soon as it ends without. */
    public void awaitErr(Predicate<String> expected, Duration longest) throws InterruptedException {
        err.await(expected, longest);
    }

    /** Writes to its standard input. */
    public void type(String text) {
        try {
            OutputStream in = process.getOutputStream();
            in.write(text.getBytes(StandardCharsets.UTF_8));
            in.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends its standard input. */
    public void endInput() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends it a signal by name, e.g. {@code "INT"}. After {@code "STOP"}, none of its threads runs any more. */
    public void signal(String name) throws InterruptedException {
        signal(name, pid());
    }

    /** As {@link #signal(String)}, to a process that another one has started. */
    public static void signal(String name, long pid) throws InterruptedException {
        signal(name, String.valueOf(pid));
        if (name.equals("STOP")) {
            Deadline.after(TO_STOP).await("all threads to stop", () -> isStopped(pid));
        }
    }

    /** Asks it to end, with {@code SIGTERM}, if it still runs. */
    public void terminate() {
        process.destroy();
    }

    /** The signal takes a moment to reach threads that run on other processors. */
    private static boolean isStopped(long pid) {
        try (Stream<Path> threads = Files.list(Path.of("/proc", String.valueOf(pid), "task"))) {
            return threads.allMatch(ChildProcess::isStopped);
        } catch (NoSuchFileException ended) {
            return true;
        } catch (IOException | UncheckedIOException changing) {
            return false;
        }
    }

    private static boolean isStopped(Path thread) {
        try {
            String status = Files.readString(thread.resolve("stat"));
            // the name before the state is in brackets, and may hold any character
            return status.charAt(status.lastIndexOf(')') + 2) == 'T';
        } catch (IOException ended) {
            return true;
        }
    }

    /** Sends a signal to all processes of a group, as a terminal does when a key is pressed. */
    public static void signalGroup(String name, long leader) throws InterruptedException {
        signal(name, "-" + leader);
    }

    private static void signal(String name, String target) throws InterruptedException {
        try {
            int status = new ProcessBuilder("kill", "-s", name, "--", target)
                    .inheritIO()
                    .start()
                    .waitFor();
            if (status != 0) {
                throw new AssertionError("kill -s " + name + " " + target + " has failed");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Does something on another thread as soon as it has ended; what is returned is complete when that is done. */
    CompletableFuture<Void> whenEnded(Runnable action) {
        return process.onExit().thenRun(action);
    }

    /**
     * Waits until it has ended and all its output is there.
     *
     * @return exit status
     * @throws AssertionError if it takes longer than {@code longest}
     */
    public int awaitExit(Duration longest) throws InterruptedException {
        if (!process.waitFor(longest.toNanos(), TimeUnit.NANOSECONDS)) {
            throw new AssertionError("process still runs after " + longest + "\nout: " + out() + "\nerr: " + err());
        }
        out.join(longest);
        err.join(longest);
        return process.exitValue();
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    /** Reads a stream to its end. */
    private static final class Collector {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final Thread reader;
        private @Nullable PrintStream copy;
        private boolean ended;

        Collector(InputStream source) {
            this.reader = Thread.ofVirtual().start(() -> collect(source));
        }

        private void collect(InputStream source) {
            byte[] chunk = new byte[8192];
            try {
                for (int count = source.read(chunk); count >= 0; count = source.read(chunk)) {
                    append(chunk, count);
                }
            } catch (IOException processKilled) {
                // nothing more comes
            }
            end();
        }

        private synchronized void end() {
            ended = true;
            notifyAll();
        }

        private synchronized void append(byte[] chunk, int count) {
            bytes.write(chunk, 0, count);
            if (copy != null) {
                copy.write(chunk, 0, count);
                copy.flush();
            }
            notifyAll();
        }

        synchronized void copyTo(PrintStream stream) {
            copy = stream;
            stream.write(bytes.toByteArray(), 0, bytes.size());
        }

        synchronized String text() {
            return bytes.toString(StandardCharsets.UTF_8);
        }

        synchronized void await(Predicate<String> expected, Duration longest) throws InterruptedException {
            long deadline = System.nanoTime() + longest.toNanos();
            while (!expected.test(text())) {
                long left = deadline - System.nanoTime();
                if (ended || left <= 0) {
                    throw new AssertionError(
                            (ended ? "not the expected output at its end" : "not the expected output after " + longest)
                                    + ": " + text());
                }
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
        }

        void join(Duration longest) throws InterruptedException {
            if (!reader.join(longest)) {
                throw new AssertionError("output still open after " + longest + ": " + text());
            }
        }
    }
}
