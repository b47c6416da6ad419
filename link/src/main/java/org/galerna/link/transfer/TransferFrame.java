package org.galerna.link.transfer;

import java.lang.foreign.MemorySegment;
import org.galerna.link.support.Frames;
import org.galerna.link.support.ProtocolException;

/**
 * What the two ends of a transfer say to each other where the owner of the region takes part. Of the rendezvous in the papers
 * START (RNDZV_PUT_INIT) is the announcement of the face above, REPLY (RNDZV_PUT_RTR) is the {@link #GET}, which says where the
 * bytes are wanted, DATA is the owner's write, and END (RNDZV_PUT_END) is the {@link #OVER}.
 *
 * <pre>
 *    0 +------------+------------+
 *      | kind (4)   | status (4) |
 *    8 +------------+------------+
 *      | number (8)              |
 *   16 | key (8)                 |
 *   24 | offset (8)              |
 *   32 | length (8)              |
 *   40 | address (8)             |
 *   48 | network's key (8)       |
 *   56 +-------------------------+
 * </pre>
 *
 * @param number of the piece, as the asker counts
 * @param key of the owner's region
 * @param address of the asker's memory, as the network wants it
 * @param remoteKey of the asker's memory
 */
public record TransferFrame(
        int kind, int status, long number, long key, long offset, long length, long address, long remoteKey) {
    /** The owner is to write a piece of its region into the asker's memory. */
    public static final int GET = 1;

    /** The owner is to read a piece of the asker's memory into its region. */
    public static final int PUT = 2;

    /** The owner has done it, or refuses. */
    public static final int OVER = 3;

    public static final int DONE = 0;
    public static final int NO_REGION = 1;
    public static final int NO_ACCESS = 2;
    public static final int BROKEN = 3;

    public static final int BYTES = 56;

    public static TransferFrame over(long number, int status) {
        return new TransferFrame(OVER, status, number, 0, 0, 0, 0, 0);
    }

    public void write(MemorySegment memory, long at) {
        memory.set(Frames.INT, at, kind);
        memory.set(Frames.INT, at + 4, status);
        memory.set(Frames.LONG, at + 8, number);
        memory.set(Frames.LONG, at + 16, key);
        memory.set(Frames.LONG, at + 24, offset);
        memory.set(Frames.LONG, at + 32, length);
        memory.set(Frames.LONG, at + 40, address);
        memory.set(Frames.LONG, at + 48, remoteKey);
    }

    public static TransferFrame read(MemorySegment memory, long at, int length) throws ProtocolException {
        if (length != BYTES) {
            throw new ProtocolException("a word on a transfer has " + length + " bytes");
        }
        TransferFrame frame = new TransferFrame(
                memory.get(Frames.INT, at),
                memory.get(Frames.INT, at + 4),
                memory.get(Frames.LONG, at + 8),
                memory.get(Frames.LONG, at + 16),
                memory.get(Frames.LONG, at + 24),
                memory.get(Frames.LONG, at + 32),
                memory.get(Frames.LONG, at + 40),
                memory.get(Frames.LONG, at + 48));
        if (frame.kind < GET || frame.kind > OVER || frame.length < 0) {
            throw new ProtocolException("a word on a transfer is of kind " + frame.kind);
        }
        return frame;
    }

    public static String describe(int status) {
        return switch (status) {
            case NO_REGION -> "it has no such registered memory";
            case NO_ACCESS -> "its memory cannot be accessed, it may have been freed";
            default -> "it could not move the bytes";
        };
    }
}
