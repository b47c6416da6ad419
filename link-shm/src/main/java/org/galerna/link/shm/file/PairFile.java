package org.galerna.link.shm.file;

import static org.galerna.link.shm.file.ControlPageLayout.INT;
import static org.galerna.link.shm.file.ControlPageLayout.INTS;
import static org.galerna.link.shm.file.ControlPageLayout.LONG;
import static org.galerna.link.shm.file.ControlPageLayout.LONGS;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.galerna.memory.RecordRing;
import org.galerna.nativeaccess.file.PosixFiles;
import org.jspecify.annotations.Nullable;

/**
 * A file that belongs to two ranks: one ring for frames from its maker to the other rank, or two rings for transfers
 * that its maker asks the other rank for. The other rank removes its name as soon as it has mapped it.
 *
 * <pre>
 *    0  +--------------------------------------------------------------+
 *       | magic, version (8) | kind (4) | maker (4) | other (4) |      |  written once, before the file has its name
 *       | flags (4) | closed (4) | release (4) | start of ring 1 (8)   |
 *  128  +--------------------------------------------------------------+
 *       | ring 0                                                       |
 *       +--------------------------------------------------------------+
 *       | ring 1, for transfers only                                   |
 *       +--------------------------------------------------------------+
 * </pre>
 *
 * <p>{@code closed} is written by the maker (release) when it dismisses the channel, before it tells the other rank that
 * something has happened, and read by that one (acquire) afterwards. {@code release} is the same in the other direction: the
 * other rank wants the maker to dismiss the channel, and to use its {@link QueueFile} again.
 */
public final class PairFile {
    public static final int FRAMES = 1;
    public static final int TRANSFERS = 2;

    /** Flag: several threads claim in ring 0 at once. */
    static final int CONCURRENT = 1;

    private static final long MAGIC = 0x47414c50_00000002L;
    private static final long MAGIC_OFFSET = 0;
    private static final long KIND = 8;
    private static final long MAKER = 12;
    private static final long OTHER = 16;
    private static final long FLAGS = 20;
    private static final long CLOSED = 24;
    private static final long RELEASE = 28;
    private static final long SECOND = 32;
    private static final int HEADER_BYTES = 128;

    private final MemorySegment memory;
    private final RecordRing first;
    private final RecordRing second;

    private PairFile(MemorySegment memory, RecordRing first, RecordRing second) {
        this.memory = memory;
        this.first = first;
        this.second = second;
    }

    /** Bytes of a file with such rings. */
    public static long bytes(RingSize... rings) {
        return HEADER_BYTES
                + Arrays.stream(rings).mapToLong(ring -> align(ring.bytes())).sum();
    }

    /** Makes a file with one ring. */
    public static PairFile createFrames(
            JobFolder folder, String name, int maker, int other, RingSize size, boolean concurrent) throws IOException {
        return create(folder, name, FRAMES, maker, other, concurrent ? CONCURRENT : 0, size, null);
    }

    /** Makes a file with two rings. */
    public static PairFile createTransfers(
            JobFolder folder, String name, int maker, int other, RingSize requests, RingSize answers)
            throws IOException {
        return create(folder, name, TRANSFERS, maker, other, 0, requests, answers);
    }

    private static PairFile create(
            JobFolder folder,
            String name,
            int kind,
            int maker,
            int other,
            int flags,
            RingSize first,
            @Nullable RingSize second)
            throws IOException {
        long start = HEADER_BYTES + align(first.bytes());
        long bytes = second == null ? bytes(first) : bytes(first, second);
        SharedFile file = SharedFile.create(folder, name, bytes, memory -> {
            memory.set(INT, KIND, kind);
            memory.set(INT, MAKER, maker);
            memory.set(INT, OTHER, other);
            memory.set(INT, FLAGS, flags);
            memory.set(LONG, SECOND, second == null ? 0 : start);
            first.create(memory.asSlice(HEADER_BYTES, first.bytes()));
            if (second != null) {
                second.create(memory.asSlice(start, second.bytes()));
            }
            LONGS.setRelease(memory, MAGIC_OFFSET, MAGIC);
        });
        file.close();
        return view(file.memory(), second == null ? 0 : start);
    }

    /**
     * Maps a file that a peer has made, and removes its name.
     *
     * @throws IOException if it is not there, or not what a rank of this version makes
     */
    public static PairFile open(JobFolder folder, String name, int kind, int maker, int other) throws IOException {
        SharedFile file = SharedFile.open(folder, name, HEADER_BYTES);
        file.close();
        folder.remove(name);
        MemorySegment memory = file.memory();
        long magic = (long) LONGS.getAcquire(memory, MAGIC_OFFSET);
        if (magic != MAGIC
                || memory.get(INT, KIND) != kind
                || memory.get(INT, MAKER) != maker
                || memory.get(INT, OTHER) != other) {
            throw new IOException(folder.describe(name) + " is not what a rank of this version makes (magic "
                    + Long.toHexString(magic) + "): do all ranks run the same version of Galerna?");
        }
        long second = memory.get(LONG, SECOND);
        boolean wrong = kind == TRANSFERS
                ? second < HEADER_BYTES || second > memory.byteSize() || second % HEADER_BYTES != 0
                : second != 0;
        if (wrong) {
            throw new IOException(folder.describe(name) + " has its second ring at " + second);
        }
        try {
            return view(memory, second);
        } catch (IllegalArgumentException noRing) {
            throw new IOException(folder.describe(name) + " is unusable: " + noRing.getMessage(), noRing);
        }
    }

    private static PairFile view(MemorySegment memory, long second) {
        long end = second == 0 ? memory.byteSize() : second;
        RecordRing first = RecordRing.open(memory.asSlice(HEADER_BYTES, end - HEADER_BYTES));
        return new PairFile(memory, first, second == 0 ? first : RecordRing.open(memory.asSlice(second)));
    }

    private static long align(long bytes) {
        return (bytes + HEADER_BYTES - 1) / HEADER_BYTES * HEADER_BYTES;
    }

    public RecordRing first() {
        return first;
    }

    public RecordRing second() {
        return second;
    }

    public boolean isConcurrent() {
        return (memory.get(INT, FLAGS) & CONCURRENT) != 0;
    }

    public void markClosed() {
        INTS.setRelease(memory, CLOSED, 1);
    }

    public boolean isClosed() {
        return (int) INTS.getAcquire(memory, CLOSED) != 0;
    }

    /** Asks the maker to use the other rank's queue again. */
    public void askForRelease() {
        INTS.setRelease(memory, RELEASE, 1);
    }

    public boolean isReleaseAsked() {
        return (int) INTS.getAcquire(memory, RELEASE) != 0;
    }

    /** Gives the memory back at once, in both processes; for a file that neither side uses any more. */
    public void discard() {
        PosixFiles.instance().orElseThrow().discard(memory);
    }
}
