package org.galerna.collectives.shared;

import java.lang.foreign.MemorySegment;
import org.galerna.collectives.buffer.Blocks;
import org.galerna.collectives.buffer.Copying;
import org.galerna.collectives.team.Team;
import org.galerna.memory.Buffers;

/**
 * Lending a rank's memory to the others. Memory of a confined arena is its thread's alone; the others get a copy of all
 * of it, so that offsets stay what they are, and what they have written is copied back.
 */
final class Loans {
    private Loans() {}

    /** Memory that any thread may touch, with the contents of the buffer: mostly the buffer itself. */
    static Object lend(Team team, Object buffer) {
        if (!(buffer instanceof MemorySegment segment) || Buffers.isSharedByThreads(segment)) {
            return buffer;
        }
        Object copy = team.scratch(segment.byteSize());
        Copying.copy(segment, 0, copy, 0, segment.byteSize());
        return copy;
    }

    /** Brings what others have written to the buffer. */
    static void takeBack(Object lent, Object buffer) {
        if (lent != buffer && buffer instanceof MemorySegment segment) {
            Copying.copy(lent, 0, segment, 0, segment.byteSize());
        }
    }

    /** Checks what the others would stumble over. */
    static void checkTarget(Object buffer, long offset, long length) {
        Buffers.check(buffer, offset, length);
        if (buffer instanceof MemorySegment segment && segment.isReadOnly()) {
            throw new IllegalArgumentException("nothing can be received into memory that is read-only");
        }
    }

    /** As {@link #checkTarget}, for the blocks of {@code ranks} ranks. */
    static void checkTarget(Object buffer, long offset, Blocks blocks, int ranks) {
        checkTarget(buffer, 0, 0);
        checkBlocks(buffer, offset, blocks, ranks);
    }

    static void checkBlocks(Object buffer, long offset, Blocks blocks, int ranks) {
        if (blocks.isUniform()) {
            Buffers.check(buffer, offset, blocks.total(ranks));
            return;
        }
        for (int rank = 0; rank < ranks; rank++) {
            if (blocks.length(rank) > 0) {
                Buffers.check(buffer, offset + blocks.offset(rank), blocks.length(rank));
            }
        }
    }
}
