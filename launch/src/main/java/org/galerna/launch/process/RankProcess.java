package org.galerna.launch.process;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.galerna.launch.ProcessStart;
import org.galerna.launch.rendezvous.Kind;
import org.galerna.launch.rendezvous.Message;
import org.galerna.nativeaccess.process.ProcessNiceness;
import org.galerna.nativeaccess.process.ProcessSignals;

/** A process of ranks, as its agent has it: its output goes to the launcher, and its end is told. */
final class RankProcess {
    private static final int CHUNK = 16 << 10;

    /**
     * How long to wait for output that does not come after the process has ended: another process may hold the pipe open.
     * The time that the launcher's reader takes does not count.
     */
    private static final Duration PATIENCE_WITH_OUTPUT = Duration.ofSeconds(1);

    private static final Duration LOOK = Duration.ofMillis(50);

    /** How long a process may have the processors, with a few others, to end before the next one is resumed. */
    private static final Duration TURN = Duration.ofMillis(20);

    private static final int TURNS_OF_PROCESSOR = 2;

    private final int rank;
    private final Process process;
    private final Consumer<Message> launcher;
    private final Relay out;
    private final Relay err;

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
        this.out = new Relay("galerna-out-" + rank, process.getInputStream(), 1);
        this.err = new Relay("galerna-err-" + rank, process.getErrorStream(), 2);
    }

    /** Hands on what the process writes to a stream. */
    private final class Relay {
        private final Thread thread;
        private volatile boolean handsOn;

        Relay(String name, InputStream source, int stream) {
            this.thread = Background.start(name, () -> run(source, stream));
        }

        private void run(InputStream source, int stream) {
            byte[] chunk = new byte[CHUNK];
            try (source) {
                for (int count = source.read(chunk); count >= 0; count = source.read(chunk)) {
                    handsOn = true;
                    launcher.accept(new Message(Kind.OUTPUT, rank, stream, Arrays.copyOf(chunk, count)));
                    handsOn = false;
                }
            } catch (IOException closed) {
                // the process is gone, and its pipe with it
                return;
            }
        }
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

    /** Waits for the rest of the output of a process that has ended, however long the launcher's reader takes for it. */
    void awaitOutput() {
        Duration left = PATIENCE_WITH_OUTPUT;
        for (Relay relay : List.of(out, err)) {
            try {
                while (left.isPositive() && !relay.thread.join(LOOK)) {
                    if (!relay.handsOn) {
                        left = left.minus(LOOK);
                    }
                }
            } catch (InterruptedException hurry) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    /**
     * Ends processes, and what they have started, at the latest after {@code patience}.
     *
     * <p>Where they are more than the processors, they are stopped first, and resumed a few at a time to handle the signal. What they
     * compute now is for nothing, and would leave to this process, and to each of those that end, its small part of the processors. A
     * process that is resumed has a moment to end before the next one is; one that takes longer holds up nobody. If this process is
     * killed meanwhile, the system resumes them ({@link ProcessSignals#resumeAtEndOfParent}).
     *
     * @param tell says to all of them that the job is over; may block while one of them does not read
     */
    static void end(List<RankProcess> all, Duration patience, Runnable tell) {
        long deadline = System.nanoTime() + patience.toNanos();
        int processors = Runtime.getRuntime().availableProcessors();
        boolean crowd = all.size() > processors;
        try {
            if (crowd) {
                all.forEach(RankProcess::stop);
            }
            boolean ignored = Background.start("galerna-tell-end", tell).join(TURN);
            Map<RankProcess, List<ProcessHandle>> started = startedBy(all);
            Semaphore turns = new Semaphore(crowd ? TURNS_OF_PROCESSOR * processors : all.size());
            for (RankProcess each : all) {
                ignored = turns.tryAcquire(TURN.toNanos(), TimeUnit.NANOSECONDS);
                List<ProcessHandle> below = started.getOrDefault(each, List.of());
                Future<Void> unused = each.process.onExit().thenRun(() -> {
                    turns.release();
                    below.forEach(RankProcess::kill);
                });
                // that of the process itself would close its pipes, too, and lose its last words
                each.process.toHandle().destroy();
                each.resume();
            }
            for (RankProcess each : all) {
                if (!each.process.waitFor(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                    each.process.destroyForcibly();
                }
            }
        } catch (InterruptedException hurry) {
            kill(all);
            Thread.currentThread().interrupt();
        } finally {
            all.forEach(RankProcess::resume);
        }
    }

    /** Kills processes, and what they have started. */
    static void kill(List<RankProcess> all) {
        all.forEach(RankProcess::stop); // so that none of them starts another one meanwhile
        Map<RankProcess, List<ProcessHandle>> started = startedBy(all);
        all.forEach(each -> each.process.destroyForcibly());
        started.values().forEach(below -> below.forEach(RankProcess::kill));
    }

    /** Leaves more of the processors to others, see {@link ProcessNiceness}. */
    void makeNice(int niceness) {
        if (process.isAlive()) {
            ProcessNiceness.set(process.pid(), niceness);
        }
    }

    private void stop() {
        if (process.isAlive()) {
            boolean ignored = ProcessSignals.stop(process.pid());
        }
    }

    private void resume() {
        if (process.isAlive()) {
            boolean ignored = ProcessSignals.resume(process.pid());
        }
    }

    private static void kill(ProcessHandle process) {
        process.destroyForcibly(); // false if it has ended
    }

    /** By one look at all processes of the system: a look for each rank would cost more than all ends together. */
    private static Map<RankProcess, List<ProcessHandle>> startedBy(List<RankProcess> all) {
        Map<Long, RankProcess> ranks = all.stream().collect(Collectors.toMap(each -> each.process.pid(), each -> each));
        Map<RankProcess, List<ProcessHandle>> started = new HashMap<>();
        ProcessHandle.current()
                .descendants()
                .filter(each -> !ranks.containsKey(each.pid()))
                .forEach(each -> above(each, ranks)
                        .ifPresent(rank -> started.computeIfAbsent(rank, _ -> new ArrayList<>())
                                .add(each)));
        return started;
    }

    private static Optional<RankProcess> above(ProcessHandle process, Map<Long, RankProcess> ranks) {
        Optional<ProcessHandle> above = process.parent();
        while (above.isPresent() && !ranks.containsKey(above.get().pid())) {
            above = above.get().parent();
        }
        return above.map(each -> ranks.get(each.pid()));
    }
}
