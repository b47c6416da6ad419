package org.galerna.sockets.pipe;

import static org.galerna.sockets.pipe.PipeLayout.INTS;
import static org.galerna.sockets.pipe.PipeLayout.LONGS;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.galerna.nativeaccess.file.PosixFiles;
import org.galerna.sockets.settings.Settings;
import org.jspecify.annotations.Nullable;

/**
 * The memory of one pipe: a file that the end which offers makes, and that has no name any more once the other end has
 * mapped it, so that nothing is left of it whichever process dies. Of a pipe to another host each end has one of its own.
 */
public final class PipeMemory {
    private static final long ALIGNMENT = 128;

    private final @Nullable HostFolder folder; // null if it has no file
    private final String name;
    private final Arena arena;
    private final MemorySegment memory;
    private final int ringBytes;

    private PipeMemory(@Nullable HostFolder folder, String name, Arena arena, MemorySegment memory, int ringBytes) {
        this.folder = folder;
        this.name = name;
        this.arena = arena;
        this.memory = memory;
        this.ringBytes = ringBytes;
    }

    /**
     * Makes the memory, with its space reserved.
     *
     * @throws IOException if there is no room
     */
    public static PipeMemory create(HostFolder folder, String name, int ringBytes) throws IOException {
        PosixFiles files = folder.files();
        long bytes = PipeLayout.bytes(ringBytes);
        int descriptor = files.create(folder.descriptor(), name);
        Arena arena = Arena.ofShared();
        try {
            files.reserve(descriptor, bytes);
            MemorySegment memory = files.map(descriptor, bytes, arena);
            LONGS.set(memory, PipeLayout.RING_BYTES_AT, (long) ringBytes);
            LONGS.setRelease(memory, PipeLayout.MAGIC_AT, PipeLayout.MAGIC);
            return new PipeMemory(folder, name, arena, memory, ringBytes);
        } catch (IOException | RuntimeException failed) {
            files.remove(folder.descriptor(), name);
            arena.close();
            throw failed;
        } finally {
            files.close(descriptor);
        }
    }

    /**
     * Maps what a peer has made, and takes the name from it.
     *
     * @throws IOException if it is not what a process of this user makes
     */
    public static PipeMemory open(HostFolder folder, String name) throws IOException {
        PosixFiles files = folder.files();
        int descriptor = files.open(folder.descriptor(), name);
        Arena arena = Arena.ofShared();
        try {
            files.remove(folder.descriptor(), name);
            PosixFiles.Status status = files.status(descriptor);
            if (!status.regular() || status.user() != files.user()) {
                throw new IOException("the memory that a peer offers is no file of this user");
            }
            if (status.bytes() < PipeLayout.bytes(Settings.LEAST_RING)
                    || status.bytes() > PipeLayout.bytes(Settings.MOST_RING)) {
                throw new IOException("the memory that a peer offers has " + status.bytes() + " bytes");
            }
            MemorySegment memory = files.map(descriptor, status.bytes(), arena);
            long ringBytes = (long) LONGS.get(memory, PipeLayout.RING_BYTES_AT);
            if ((long) LONGS.getAcquire(memory, PipeLayout.MAGIC_AT) != PipeLayout.MAGIC
                    || ringBytes < Settings.LEAST_RING
                    || ringBytes > Settings.MOST_RING
                    || Long.bitCount(ringBytes) != 1
                    || PipeLayout.bytes((int) ringBytes) != status.bytes()) {
                throw new IOException("the memory that a peer offers is of another version of Galerna");
            }
            return new PipeMemory(folder, name, arena, memory, (int) ringBytes);
        } catch (IOException | RuntimeException failed) {
            arena.close();
            throw failed;
        } finally {
            files.close(descriptor);
        }
    }

    /** Memory of this process alone, for one end of a pipe whose other end is on another host. */
    public static PipeMemory ofThisProcess(int ringBytes) {
        Arena arena = Arena.ofShared();
        MemorySegment memory = arena.allocate(PipeLayout.bytes(ringBytes), ALIGNMENT);
        return new PipeMemory(null, "", arena, memory, ringBytes);
    }

    /** Room in each direction. */
    public int ringBytes() {
        return ringBytes;
    }

    public MemorySegment direction(int direction) {
        return PipeLayout.direction(memory, direction);
    }

    public MemorySegment data(int direction) {
        return PipeLayout.data(memory, direction, ringBytes);
    }

    public int state() {
        return (int) INTS.getAcquire(memory, PipeLayout.STATE_AT);
    }

    /** Decides what becomes of the offer; false if that has been decided already. */
    public boolean decide(int state) {
        return INTS.compareAndSet(memory, PipeLayout.STATE_AT, PipeLayout.OFFERED, state);
    }

    /** Takes the name from an offer that nobody has accepted. */
    public void removeName() {
        if (folder != null) {
            folder.files().remove(folder.descriptor(), name);
        }
    }

    /** Gives the memory back; nobody may use it any more. */
    public void free() {
        arena.close();
    }
}
