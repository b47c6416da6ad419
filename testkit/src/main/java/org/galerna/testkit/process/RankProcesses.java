package org.galerna.testkit.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.galerna.link.CommunicationException;
import org.galerna.link.wireup.FolderWireup;

/**
 * The ranks of a job as processes of their own, without a launcher: they meet by a {@link FolderWireup}. Closing kills
 * those that are left, and deletes the folder.
 */
public final class RankProcesses implements AutoCloseable {
    private final Path folder;
    private final List<ChildProcess> ranks = new ArrayList<>();
    private final List<CompletableFuture<Void>> ends = new ArrayList<>();

    private RankProcesses(Path folder) {
        this.folder = folder;
    }

    /**
     * Starts {@code size} JVMs with the class path of this one.
     *
     * @param options options of the virtual machine
     */
    public static RankProcesses start(int size, List<String> options, Class<?> main, String... arguments) {
        return start(size, options, (rank, command) -> command, main, arguments);
    }

    /**
     * As {@link #start(int, List, Class, String...)}, with commands that are changed.
     *
     * @param change makes the command of a rank out of what starts its JVM
     */
    public static RankProcesses start(
            int size,
            List<String> options,
            BiFunction<Integer, List<String>, List<String>> change,
            Class<?> main,
            String... arguments) {
        try {
            RankProcesses job = new RankProcesses(Files.createTempDirectory("galerna-test-job"));
            for (int rank = 0; rank < size; rank++) {
                ProcessBuilder builder =
                        new ProcessBuilder(change.apply(rank, ChildProcess.java(options, main, List.of(arguments))));
                builder.environment().putAll(environment(job.folder, rank, size));
                ChildProcess process = ChildProcess.start(builder);
                job.ranks.add(process);
                // also of one that is killed, or fails before it has joined: the others must not wait for it
                int ended = rank;
                job.ends.add(process.whenEnded(() -> FolderWireup.end(job.folder, ended)));
            }
            return job;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The variables by which a process knows which rank it is, for one that is started in another way. */
    public static Map<String, String> environment(Path folder, int rank, int size) {
        return Map.of(
                FolderWireupProvider.FOLDER, folder.toString(),
                FolderWireupProvider.RANK, String.valueOf(rank),
                FolderWireupProvider.SIZE, String.valueOf(size));
    }

    /** The process of a rank: its output, its exit, and signals to it. */
    public ChildProcess rank(int rank) {
        return ranks.get(rank);
    }

    /** The value that a rank has published, if it has. */
    public Optional<byte[]> published(int rank, String key) {
        try {
            return Optional.of(new FolderWireup(folder, rank, ranks.size()).get(rank, key));
        } catch (CommunicationException notYet) {
            return Optional.empty();
        }
    }

    /** The name of the job. */
    public String job() {
        return folder.getFileName().toString();
    }

    /** The exit statuses of all ranks, once all have ended. */
    public List<Integer> awaitExits(Duration longest) throws InterruptedException {
        long deadline = System.nanoTime() + longest.toNanos();
        List<Integer> statuses = new ArrayList<>();
        for (ChildProcess rank : ranks) {
            statuses.add(rank.awaitExit(Duration.ofNanos(Math.max(1, deadline - System.nanoTime()))));
        }
        return statuses;
    }

    @Override
    public void close() {
        ranks.forEach(ChildProcess::close);
        ends.forEach(CompletableFuture::join);
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
