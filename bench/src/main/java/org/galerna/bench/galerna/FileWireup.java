package org.galerna.bench.galerna;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.locks.LockSupport;
import org.galerna.link.CommunicationException;
import org.galerna.link.Wireup;

/** The wire-up of ranks that are processes of one contender, through files beside the driver's pipes. */
public final class FileWireup implements Wireup {
    private static final long LOOK_NANOS = 1_000_000;

    private final Path folder;
    private final int rank;
    private final int size;
    private int fences;

    /** That of one of so many ranks. */
    public FileWireup(Path folder, int rank, int size) {
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

    private Path value(int owner, String key) {
        return folder.resolve("value-" + owner + "-" + key);
    }

    private Path arrival(int fence, int who) {
        return folder.resolve("fence-" + fence + "-" + who);
    }

    @Override
    public void put(String key, byte[] value) {
        write(value(rank, key), value);
    }

    private void write(Path file, byte[] value) {
        try {
            // all of it or nothing: others read while this one writes
            Path unfinished = folder.resolve("unfinished-" + rank);
            Files.write(unfinished, value);
            Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Override
    public synchronized void fence() {
        int number = fences++;
        write(arrival(number, rank), new byte[0]);
        for (int other = 0; other < size; other++) {
            while (!Files.exists(arrival(number, other))) {
                LockSupport.parkNanos(LOOK_NANOS);
            }
        }
    }

    @Override
    public byte[] get(int owner, String key) {
        try {
            return Files.readAllBytes(value(owner, key));
        } catch (IOException none) {
            throw new CommunicationException("rank " + owner + " has published no value of key " + key, none);
        }
    }

    @Override
    public void abort(int status, String reason) {
        System.err.println("rank " + rank + " ends the job: " + reason);
        Runtime.getRuntime().halt(status);
    }

    @Override
    public void close() {
        // the driver deletes the folder
    }
}
