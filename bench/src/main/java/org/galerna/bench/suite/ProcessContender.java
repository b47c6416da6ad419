package org.galerna.bench.suite;

import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.galerna.link.process.TemporaryFolder;

/**
 * A contender that is a process, or several that one command starts.
 *
 * <p><b>Protocol.</b> The command gets one more argument, the path of a folder with named pipes. Each rank opens
 * {@code <rank>.cmd} for reading; rank 0 then opens {@code result} for writing. The driver has opened all of them for
 * reading and writing before it starts the process, so that no open ever waits. Every rank reads the same lines:
 *
 * <ul>
 *   <li>{@code <benchmark> <bytes> <iterations> <window>}, a {@link Command}: all ranks pass a barrier of the system's
 *       own and do the benchmark. Rank 0 writes {@code ok <number>...} (of most commands one number, the nanoseconds of
 *       all iterations on the slowest rank), or {@code no <reason>}.
 *   <li>{@code quit}, or the end of the file: the rank ends.
 * </ul>
 *
 * Between commands ranks sleep in the read. Several commands may lie in the pipe. What the process prints goes to a file
 * whose last lines are quoted if the process ends before it is told to.
 */
public final class ProcessContender implements Contender {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration PATIENCE_WITH_END = Duration.ofSeconds(5);
    private static final int QUOTED_LINES = 5;

    /** What the watch writes into the result's pipe in place of the process. */
    private static final String GONE = "gone";

    private static final String LATE = "late";

    /** A deadline that does not come. */
    private static final long NEVER = Long.MAX_VALUE;

    private final String system;
    private final String level;
    private final Path folder;
    private final Process process;
    private final List<RandomAccessFile> commands;
    private final RandomAccessFile results;
    private final BufferedReader answers;
    private final Thread hook = new Thread(this::abandon, "galerna-end-contender");
    private volatile long deadline = NEVER;
    private volatile boolean closed;

    private ProcessContender(
            String system,
            String level,
            Path folder,
            Process process,
            List<RandomAccessFile> commands,
            RandomAccessFile results)
            throws IOException {
        this.system = system;
        this.level = level;
        this.folder = folder;
        this.process = process;
        this.commands = commands;
        this.results = results;
        this.answers =
                new BufferedReader(new InputStreamReader(new FileInputStream(results.getFD()), StandardCharsets.UTF_8));
    }

    /**
     * Starts the process.
     *
     * @param command the program and its arguments, without the folder
     * @param environment variables that are set for it, besides those of this process
     * @throws ContenderException if the program cannot be started
     */
    public static ProcessContender start(
            String system, String level, int ranks, List<String> command, Map<String, String> environment) {
        try {
            TemporaryFolder folder = TemporaryFolder.make("bench");
            try {
                return start(system, level, ranks, command, environment, folder.path());
            } catch (IOException cannotStart) {
                folder.close();
                throw cannotStart;
            }
        } catch (IOException cannotStart) {
            throw new ContenderException(system + " cannot be started: " + cannotStart.getMessage(), cannotStart);
        }
    }

    private static ProcessContender start(
            String system, String level, int ranks, List<String> command, Map<String, String> environment, Path folder)
            throws IOException {
        List<String> pipes = new ArrayList<>(List.of(ContenderServer.RESULT_PIPE));
        for (int rank = 0; rank < ranks; rank++) {
            pipes.add(ContenderServer.commandPipe(rank));
        }
        makePipes(folder, pipes);
        List<RandomAccessFile> opened = new ArrayList<>();
        for (String pipe : pipes) {
            opened.add(new RandomAccessFile(folder.resolve(pipe).toFile(), "rw"));
        }
        List<String> line = new ArrayList<>(command);
        line.add(folder.toString());
        ProcessBuilder builder = new ProcessBuilder(line)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        ProcessContender contender = new ProcessContender(
                system, level, folder, process, opened.subList(1, opened.size()), opened.getFirst());
        Runtime.getRuntime().addShutdownHook(contender.hook);
        Thread.ofPlatform().daemon().name("galerna-watch-" + system).start(contender::watch);
        return contender;
    }

    private static void makePipes(Path folder, List<String> names) throws IOException {
        List<String> command = new ArrayList<>(List.of("mkfifo", "-m", "600"));
        names.forEach(name -> command.add(folder.resolve(name).toString()));
        Process mkfifo = new ProcessBuilder(command).redirectErrorStream(true).start();
        String message = new String(mkfifo.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (mkfifo.waitFor() != 0) {
                throw new IOException(message.strip());
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the pipes were made", interrupted);
        }
    }

    @Override
    public String system() {
        return system;
    }

    @Override
    public String level() {
        return level;
    }

    /** Where the pipes are, for as long as this is open. */
    Path folder() {
        return folder;
    }

    @Override
    public List<Answer> run(List<Command> batch) {
        if (closed) {
            throw new ContenderException(name() + " has been closed");
        }
        deadline = System.nanoTime() + PATIENCE.toNanos();
        try {
            StringBuilder lines = new StringBuilder();
            batch.forEach(command -> lines.append(command.toLine()).append('\n'));
            tell(lines.toString());
            List<Answer> received = new ArrayList<>();
            for (Command command : batch) {
                received.add(answerTo(command));
            }
            return received;
        } catch (IOException broken) {
            throw new ContenderException(name() + " cannot be reached: " + broken.getMessage(), broken);
        } finally {
            deadline = NEVER;
        }
    }

    private void tell(String lines) throws IOException {
        byte[] bytes = lines.getBytes(StandardCharsets.US_ASCII);
        for (RandomAccessFile pipe : commands) {
            pipe.write(bytes);
        }
    }

    private Answer answerTo(Command command) throws IOException {
        String line = answers.readLine();
        if (line == null || line.equals(GONE)) {
            throw new ContenderException(
                    name() + " has ended at \"" + command.toLine() + "\"" + status() + lastWords());
        }
        if (line.equals(LATE)) {
            kill();
            throw new ContenderException(name() + " has not answered to \"" + command.toLine() + "\" for "
                    + PATIENCE.toSeconds() + " s" + lastWords());
        }
        return Answer.parse(line);
    }

    private String status() {
        return process.isAlive() ? "" : " with status " + process.exitValue();
    }

    /** The last lines that the process has printed, after a colon. */
    private String lastWords() {
        try {
            List<String> lines = Files.readString(folder.resolve("log"), StandardCharsets.ISO_8859_1)
                    .lines()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty())
                    .toList();
            List<String> last = lines.subList(Math.max(0, lines.size() - QUOTED_LINES), lines.size());
            return last.isEmpty() ? "" : ": " + String.join(" / ", last);
        } catch (IOException unreadable) {
            return "";
        }
    }

    /** Reads of a pipe that this process itself could write into never end by themselves: somebody has to write. */
    private void watch() {
        try {
            while (!closed) {
                boolean gone = process.waitFor(1, TimeUnit.SECONDS);
                if (gone || isLate()) {
                    results.write((gone ? GONE : LATE).concat("\n").getBytes(StandardCharsets.US_ASCII));
                    return;
                }
            }
        } catch (InterruptedException | IOException closing) {
            // nobody waits for an answer any more
            return;
        }
    }

    private boolean isLate() {
        long end = deadline;
        return end != NEVER && System.nanoTime() - end > 0;
    }

    /** For the end of this process: what it has started ends too, and leaves nothing behind. */
    private void abandon() {
        kill();
        TemporaryFolder.remove(folder);
    }

    private void kill() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            if (process.isAlive()) {
                tell(Command.QUIT + "\n");
            }
            if (!process.waitFor(PATIENCE_WITH_END.toMillis(), TimeUnit.MILLISECONDS)) {
                kill();
                process.waitFor();
            }
            for (RandomAccessFile pipe : commands) {
                pipe.close();
            }
            answers.close();
            TemporaryFolder.remove(folder);
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException interrupted) {
            kill();
            Thread.currentThread().interrupt();
        } catch (IllegalStateException shuttingDown) {
            // the hook runs already, or has run
            return;
        }
    }
}
