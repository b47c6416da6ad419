package org.galerna.link.counters;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.function.Consumer;
import org.galerna.link.process.OwnLog;
import org.jspecify.annotations.Nullable;

/**
 * The file of the counters of one rank, in the {@linkplain CountersFolder folder} of its job; or memory alone, where there is no
 * room for it. Its space is written before it is mapped, so that no access finds the file system full.
 */
final class CountersFile {
    private static final Logger LOGGER = OwnLog.of(CountersFile.class.getName());

    private static final long FIRST_BYTES = CountersLayout.bytes(CountersLayout.FIRST_ROWS);

    private static final int MOST_ATTEMPTS = 3;

    private final @Nullable Path path;
    private final MemorySegment first;

    private CountersFile(@Nullable Path path, MemorySegment first) {
        this.path = path;
        this.first = first;
    }

    /**
     * Makes the file. It has its name once its head is written.
     *
     * @param head writes what is to be known of it
     */
    static CountersFile make(String job, String name, Consumer<MemorySegment> head) {
        try {
            return tryToMake(job, name, head);
        } catch (IOException | UnsupportedOperationException impossible) {
            LOGGER.log(Level.DEBUG, "nobody else can read what this rank counts: {0}", impossible.getMessage());
            MemorySegment first = ownMemory(FIRST_BYTES);
            writeHead(first, head);
            return new CountersFile(null, first);
        }
    }

    private static CountersFile tryToMake(String job, String name, Consumer<MemorySegment> head) throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                Path folder = CountersFolder.make(job);
                Path path = folder.resolve(name);
                Path unfinished =
                        folder.resolve("." + name + "." + OwnProcess.instance().number());
                MemorySegment first = allocate(unfinished, 0, FIRST_BYTES);
                writeHead(first, head);
                Files.move(unfinished, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
                return new CountersFile(path, first);
            } catch (NoSuchFileException folderRemoved) {
                // by the last rank that has left a job of that name
                if (attempt == MOST_ATTEMPTS) {
                    throw folderRemoved;
                }
            }
        }
    }

    private static void writeHead(MemorySegment first, Consumer<MemorySegment> head) {
        OwnProcess process = OwnProcess.instance();
        first.set(CountersLayout.LONG, CountersLayout.PROCESS, process.number());
        first.set(CountersLayout.LONG, CountersLayout.PROCESS_START, process.startMillis());
        first.set(CountersLayout.LONG, CountersLayout.START_MILLIS, System.currentTimeMillis());
        first.set(CountersLayout.LONG, CountersLayout.START_NANOS, System.nanoTime());
        RankCounters.writeText(first, CountersLayout.COMMAND, CountersLayout.FIRST_ROW, OwnProcess.command());
        head.accept(first);
        first.set(CountersLayout.LONG, CountersLayout.MAGIC_AT, CountersLayout.MAGIC);
    }

    private static MemorySegment ownMemory(long bytes) {
        return Arena.ofAuto().allocate(bytes, CountersLayout.ROW_BYTES);
    }

    private static MemorySegment allocate(Path path, long at, long bytes) throws IOException {
        try (FileChannel channel = open(path, at)) {
            ByteBuffer zeros = ByteBuffer.allocate((int) bytes);
            for (long written = 0; written < bytes; ) {
                written += channel.write(zeros, at + written);
            }
            return channel.map(FileChannel.MapMode.READ_WRITE, at, bytes, Arena.ofAuto());
        }
    }

    private static FileChannel open(Path path, long at) throws IOException {
        if (at > 0) {
            return FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        }
        try {
            return FileChannel.open(
                    path, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
        } catch (FileAlreadyExistsException ofDeadProcess) {
            Files.delete(path);
            return FileChannel.open(
                    path, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
        }
    }

    /** The beginning. */
    MemorySegment first() {
        return first;
    }

    /** More memory, at that place of the file; null if there is no room for it. */
    @Nullable
    MemorySegment grow(long at, long bytes) {
        if (path == null) {
            return ownMemory(bytes);
        }
        try {
            return allocate(path, at, bytes);
        } catch (IOException full) {
            LOGGER.log(Level.DEBUG, "no room for the counters of more peers: {0}", full.getMessage());
            return null;
        }
    }

    /** Removes the file. The memory stays. */
    void remove() {
        if (path != null) {
            CountersFolder.remove(path);
        }
    }
}
