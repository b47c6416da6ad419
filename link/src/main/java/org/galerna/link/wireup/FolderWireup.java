package org.galerna.link.wireup;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.galerna.link.CommunicationException;
import org.galerna.link.Wireup;
import org.galerna.link.process.OwnLog;

/**
 * A wire-up of processes that have no launcher: values and arrivals at fences are files in a folder that the ranks share.
 * Its name is the job's. Who has made the folder deletes it.
 */
public final class FolderWireup implements Wireup {
    private static final System.Logger LOGGER = OwnLog.of(FolderWireup.class.getName());
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
    public static void end(Path folder, int rank) {
        try {
            Files.write(ended(folder, rank), new byte[0]);
        } catch (NoSuchFileException deleted) {
            return; // nobody meets there any more
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
        LOGGER.log(System.Logger.Level.ERROR, "rank " + rank + " ends the job: " + reason);
        Runtime.getRuntime().halt(status);
    }

    @Override
    public void close() {
        end(folder, rank);
    }
}
