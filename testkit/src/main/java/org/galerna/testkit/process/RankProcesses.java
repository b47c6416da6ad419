package org.galerna.testkit.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The ranks of a job as processes of their own, without a launcher: they meet by a {@link FolderWireup}. Closing kills
 * those that are left, and deletes the folder.
 */
public final class RankProcesses implements AutoCloseable {
    private final Path folder;
    private final List<ChildProcess> ranks = new ArrayList<>();

    private RankProcesses(Path folder) {
        this.folder = folder;
    }

    /**
     * Starts {@code size} JVMs with the class path of this one.
     *
     * @param options options of the virtual machine
     */
    public static RankProcesses start(int size, List<String> options, Class<?> main, String... arguments) {
        try {
            RankProcesses job = new RankProcesses(Files.createTempDirectory("galerna-test-job"));
            for (int rank = 0; rank < size; rank++) {
                ProcessBuilder builder = new ProcessBuilder(ChildProcess.java(options, main, List.of(arguments)));
                builder.environment().put(FolderWireup.FOLDER, job.folder.toString());
                builder.environment().put(FolderWireup.RANK, String.valueOf(rank));
                builder.environment().put(FolderWireup.SIZE, String.valueOf(size));
                job.ranks.add(ChildProcess.start(builder));
            }
            return job;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The process of a rank: its output, its exit, and signals to it. */
    public ChildProcess rank(int rank) {
        return ranks.get(rank);
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
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
