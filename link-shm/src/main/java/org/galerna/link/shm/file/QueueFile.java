package org.galerna.link.shm.file;

import static org.galerna.link.shm.file.ControlPageLayout.INT;
import static org.galerna.link.shm.file.ControlPageLayout.INTS;
import static org.galerna.link.shm.file.ControlPageLayout.LONGS;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.galerna.memory.RecordRing;
import org.galerna.nativeaccess.memory.RawMemory;

/**
 * The receive queue of a rank, which all others write to, and the number of rings of busy pairs beside it. Its owner makes it
 * before it attaches, and removes its name when it leaves.
 *
 * <pre>
 *    0  +--------------------------------------------------------------+
 *       | magic, version (8) | owner (4) | ranks (4) | limit (4) |     |  written once, before the file has its name
 *   64  | reserved (4) | wanted (4) |  unused                          |
 *  128  +--------------------------------------------------------------+
 *       | claims of rank 0 (8) |  unused                               |  a line for each rank
 *       | claims of rank 1 (8) |  unused                               |
 *       +--------------------------------------------------------------+
 *       | ring                                                         |
 *       +--------------------------------------------------------------+
 * </pre>
 *
 * <table>
 * <caption>Who does what, in which memory order</caption>
 * <tr><th>field</th><th>owner</th><th>senders</th></tr>
 * <tr><td>reserved</td><td>atomic decrement when a ring is dropped</td><td>atomic increment; taken back if there are too
 * many</td></tr>
 * <tr><td>wanted</td><td>atomic exchange with zero</td><td>release write of the own rank and 1, before the owner is told; the last
 * one counts</td></tr>
 * <tr><td>claims</td><td>acquire read</td><td>of the rank itself: odd from before it claims, with a full fence, to after it has
 * committed; release writes</td></tr>
 * </table>
 */
public final class QueueFile {
    /** Answer of {@link #takeAsker}: no ring is wanted. */
    public static final int NOBODY = -1;

    private static final long MAGIC = 0x47414c51_00000001L;
    private static final long MAGIC_OFFSET = 0;
    private static final long OWNER = 8;
    private static final long RANKS = 12;
    private static final long LIMIT = 16;
    private static final long RESERVED = 64;
    private static final long WANTED = 68;
    private static final long CLAIMS = 128;
    private static final int LINE_BYTES = ControlPageLayout.LINE_BYTES;
    private static final int ALIGNMENT = 2 * LINE_BYTES;

    private final MemorySegment memory;
    private final RecordRing ring;

    private QueueFile(MemorySegment memory, RecordRing ring) {
        this.memory = memory;
        this.ring = ring;
    }

    /**
     * What a queue is like.
     *
     * @param ring its size
     * @param limit rings of busy pairs beside it
     */
    public record Size(RingSize ring, int limit) {}

    /** Bytes of the file with such a queue in a job of so many ranks. */
    public static long bytes(int ranks, RingSize ring) {
        return start(ranks) + ring.bytes();
    }

    /** Makes the queue of a rank in a job of so many. */
    public static QueueFile create(JobFolder folder, String name, int owner, int ranks, Size size) throws IOException {
        long start = start(ranks);
        SharedFile file = SharedFile.create(folder, name, bytes(ranks, size.ring()), memory -> {
            memory.set(INT, OWNER, owner);
            memory.set(INT, RANKS, ranks);
            memory.set(INT, LIMIT, size.limit());
            size.ring().create(memory.asSlice(start));
            LONGS.setRelease(memory, MAGIC_OFFSET, MAGIC);
        });
        file.close();
        return view(file.memory(), start);
    }

    /**
     * Maps the queue of a peer.
     *
     * @throws IOException if it is not there, or not what a rank of this version makes
     */
    public static QueueFile open(JobFolder folder, String name, int owner, int ranks) throws IOException {
        long start = start(ranks);
        SharedFile file = SharedFile.open(folder, name, start);
        file.close();
        MemorySegment memory = file.memory();
        long magic = (long) LONGS.getAcquire(memory, MAGIC_OFFSET);
        if (magic != MAGIC || memory.get(INT, OWNER) != owner || memory.get(INT, RANKS) != ranks) {
            throw new IOException(folder.describe(name) + " is no queue of this version for " + ranks + " ranks (magic "
                    + Long.toHexString(magic) + "): do all ranks run the same version of Galerna?");
        }
        try {
            return view(memory, start);
        } catch (IllegalArgumentException noRing) {
            throw new IOException(folder.describe(name) + " is unusable: " + noRing.getMessage(), noRing);
        }
    }

    private static QueueFile view(MemorySegment memory, long start) {
        return new QueueFile(memory, RecordRing.open(memory.asSlice(start)));
    }

    private static long start(int ranks) {
        long end = CLAIMS + (long) ranks * LINE_BYTES;
        return (end + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }

    public RecordRing ring() {
        return ring;
    }

    // ---- rings of busy pairs

    /** Rings of busy pairs that there may be at once. */
    public int limit() {
        return memory.get(INT, LIMIT);
    }

    /** Reserves room for a ring of a sender; false, and it is noted that this one wants it, if there is none. */
    public boolean reserve(int sender) {
        if ((int) INTS.getAndAdd(memory, RESERVED, 1) < limit()) {
            return true;
        }
        giveBack();
        INTS.setRelease(memory, WANTED, sender + 1);
        return false;
    }

    /** A ring that has been reserved is not used any more. */
    public void giveBack() {
        int ignored = (int) INTS.getAndAdd(memory, RESERVED, -1);
    }

    /** The sender that has wanted a ring in vain last, since this was asked last; {@link #NOBODY} if there is none. */
    public int takeAsker() {
        if ((int) INTS.getAcquire(memory, WANTED) == 0) {
            return NOBODY;
        }
        int asker = (int) INTS.getAndSet(memory, WANTED, 0) - 1;
        return asker < memory.get(INT, RANKS) ? Math.max(NOBODY, asker) : NOBODY;
    }

    // ---- claims

    /** Sets what {@link #claimsOf} a rank tells, by that rank: odd before it claims, even when that is committed. Release. */
    public void setClaims(int rank, long claims) {
        RawMemory.setLongRelease(memory, claims(rank), claims);
    }

    /** Changes with every claim that a rank begins and ends, one at a time; odd in between. Acquire. */
    public long claimsOf(int rank) {
        return RawMemory.getLongAcquire(memory, claims(rank));
    }

    /** Whether a rank with such a {@link #claimsOf} may have a claim that is not committed. */
    public static boolean isOpen(long claims) {
        return (claims & 1) != 0;
    }

    private static long claims(int rank) {
        return CLAIMS + (long) rank * LINE_BYTES;
    }
}
