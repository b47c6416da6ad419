package org.galerna.launch.process;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.galerna.launch.ProcessStart;
import org.galerna.launch.rendezvous.Kind;
import org.galerna.launch.rendezvous.Message;

/** A process of ranks, as its agent has it: its output goes to the launcher, and its end is told. */
final class RankProcess {
    private static final int CHUNK = 16 << 10;

    /** How long output may take to come to its end after the process has: another process may hold the pipe open. */
    private static final Duration PATIENCE_WITH_OUTPUT = Duration.ofSeconds(1);

    private final int rank;
    private final Process process;
    private final Consumer<Message> launcher;
    private final Thread out;
    private final Thread err;

    /** Where the standard input comes from. */
    enum Input {
        /** From nowhere. */
        NONE,
        /** From this process's own. */
        INHERITED,
        /** From {@link #input}. */
        FED
    }

    private RankProcess(int rank, Process process, Consumer<Message> launcher) {
        this.rank = rank;
        this.process = process;
        this.launcher = launcher;
        this.out = Background.start("galerna-out-" + rank, () -> relay(process.getInputStream(), 1));
        this.err = Background.start("galerna-err-" + rank, () -> relay(process.getErrorStream(), 2));
    }

    /**
     * Starts a process.
     *
     * @param rank its first rank
     * @throws IOException if it cannot be started
     */
    static RankProcess start(int rank, List<String> command, Path folder, Input input, Consumer<Message> launcher)
            throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.redirectInput(
                switch (input) {
                    case NONE -> Redirect.from(new File("/dev/null"));
                    case INHERITED -> Redirect.INHERIT;
                    case FED -> Redirect.PIPE;
                });
        return new RankProcess(rank, ProcessStart.start(builder), launcher);
    }

    private void relay(InputStream source, int stream) {
        byte[] chunk = new byte[CHUNK];
        try (source) {
            for (int count = source.read(chunk); count >= 0; count = source.read(chunk)) {
                launcher.accept(new Message(Kind.OUTPUT, rank, stream, Arrays.copyOf(chunk, count)));
            }
        } catch (IOException closed) {
            // the process is gone, and its pipe with it
            return;
        }
    }

    int rank() {
        return rank;
    }

    /** Where to write what the process is to read. */
    OutputStream input() {
        return process.getOutputStream();
    }

    /** Waits for the end of the process; returns its exit status, 128 more than the signal that has killed it. */
    int await() {
        while (true) {
            try {
                return process.waitFor();
            } catch (InterruptedException notNow) {
                Thread.onSpinWait();
            }
        }
    }

    /** Waits for the rest of the output of a process that has ended. */
    void awaitOutput() {
        long deadline = System.nanoTime() + PATIENCE_WITH_OUTPUT.toNanos();
        for (Thread reader : List.of(out, err)) {
            try {
                reader.join(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())));
            } catch (InterruptedException hurry) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    /** Ends the process, and what it has started, at the latest after {@code patience}. */
    void end(Duration patience) {
        List<ProcessHandle> descendants = process.descendants().toList();
        // that of the process itself would close its pipes, too, and lose its last words
        process.toHandle().destroy();
        try {
            if (!process.waitFor(patience.toNanos(), TimeUnit.NANOSECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException hurry) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        descendants.forEach(ProcessHandle::destroyForcibly);
    }

    /** Kills the process, and what it has started. */
    void kill() {
        List<ProcessHandle> descendants = process.descendants().toList();
        process.destroyForcibly();
        descendants.forEach(ProcessHandle::destroyForcibly);
    }
}
