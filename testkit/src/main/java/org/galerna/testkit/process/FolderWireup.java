package org.galerna.testkit.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Optional;
import org.galerna.link.CommunicationException;
import org.galerna.link.Wireup;
import org.galerna.link.WireupProvider;

/**
 * A wire-up for tests that start ranks as processes without a launcher: values, arrivals at fences and aborts are files
 * in a folder that the ranks share. Found by {@link Provider} in the processes of {@link RankProcesses}.
 */
public final class FolderWireup implements Wireup {
    /** Environment variable: the folder; its name is the job's. */
    static final String FOLDER = "GALERNA_TEST_FOLDER";

    /** Environment variable: the rank. */
    static final String RANK = "GALERNA_TEST_RANK";

    /** Environment variable: the number of ranks. */
    static final String SIZE = "GALERNA_TEST_SIZE";

    private static final long LOOK_MILLIS = 2;

    private final Path folder;
    private final int rank;
    private final int size;
    private int fences;

    /** A wire-up of one rank through an existing folder. */
    public FolderWireup(Path folder, int rank, int size) {
        this.folder = folder;
        this.rank = rank;
        this.size = size;
    }

    /** Finds the wire-up of a process that {@link RankProcesses} has started. */
    public static final class Provider implements WireupProvider {
        /** For {@link java.util.ServiceLoader}. */
        public Provider() {}

        @Override
        public String name() {
            return "folder";
        }

        @Override
        public int precedence() {
            return 0;
        }

        @Override
        public Optional<Wireup> detect(Map<String, String> environment) {
            String folder = environment.get(FOLDER);
            if (folder == null) {
                return Optional.empty();
            }
            return Optional.of(new FolderWireup(
                    Path.of(folder), Integer.parseInt(environment.get(RANK)), Integer.parseInt(environment.get(SIZE))));
        }
    }

    @Override
    public String job() {
        return folder.getFileName().toString();
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public int size() {
        return size;
    }

    private Path value(int rank, String key) {
        return folder.resolve("value-" + rank + "-" + key);
    }

    @Override
    public void put(String key, byte[] value) {
        write(value(rank, key), value);
    }

    private void write(Path file, byte[] value) {
        try {
            // all of it or nothing: others read while this one writes
            Path unfinished = Files.createTempFile(folder, "unfinished", null);
            Files.write(unfinished, value);
            Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public synchronized void fence() {
        int number = fences++;
        write(folder.resolve("fence-" + number + "-" + rank), new byte[0]);
        for (int other = 0; other < size; other++) {
            while (!Files.exists(folder.resolve("fence-" + number + "-" + other))) {
                failIfEnded(number, other);
                pause();
            }
        }
    }

    private void failIfEnded(int number, int other) {
        // in this order: it may have arrived after the last look, and then ended
        if (Files.exists(ended(folder, other)) && !Files.exists(folder.resolve("fence-" + number + "-" + other))) {
            throw new CommunicationException("rank " + other + " has ended without arriving");
        }
    }

    private static Path ended(Path folder, int rank) {
        return folder.resolve("ended-" + rank);
    }

    /** Says that a rank will not arrive anywhere any more; of a process, when it is gone. */
    static void end(Path folder, int rank) {
        try {
            Files.write(ended(folder, rank), new byte[0]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void pause() {
        try {
            Thread.sleep(LOOK_MILLIS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new CommunicationException("interrupted", interrupted);
        }
    }

    @Override
    public byte[] get(int rank, String key) {
        try {
            return Files.readAllBytes(value(rank, key));
        } catch (IOException none) {
            throw new CommunicationException("rank " + rank + " has published no value of key " + key, none);
        }
    }

    @Override
    public void abort(int status, String reason) {
        write(folder.resolve("abort-" + rank), (status + " " + reason).getBytes(StandardCharsets.UTF_8));
        Runtime.getRuntime().halt(status);
    }

    @Override
    public void close() {
        end(folder, rank);
    }
}
