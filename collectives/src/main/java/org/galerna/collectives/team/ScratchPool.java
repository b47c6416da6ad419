package org.galerna.collectives.team;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import org.galerna.collectives.reduction.Reduction;
import org.jspecify.annotations.Nullable;

/**
 * Memory for intermediate results. A collective takes what it needs and gives back everything at once when it ends, so
 * that the next one finds it again; what has not been taken for a while goes to the garbage collector.
 */
final class ScratchPool {
    /** Collectives that may pass before an unused piece is dropped. */
    private static final long PATIENCE = 256;

    private static final int LARGEST_ARRAY = Integer.MAX_VALUE - 8;

    private final List<Piece> pieces = new ArrayList<>();
    private long collectives;

    /** At least {@code length} bytes, with any contents. */
    Object bytes(long length) {
        if (length > LARGEST_ARRAY) {
            return Arena.ofAuto().allocate(length, Long.BYTES);
        }
        Object free = takeFree(byte[].class, length);
        if (free != null) {
            return free;
        }
        int rounded = roundUp((int) length);
        return add(byte[].class, rounded, new byte[rounded]);
    }

    /** Memory for at least {@code count} elements, with any contents. */
    Object elements(Reduction reduction, int count) {
        Object free = takeFree(reduction.memoryType(), (long) count * reduction.elementSize());
        if (free != null) {
            return free;
        }
        int rounded = roundUp(count);
        return add(reduction.memoryType(), (long) rounded * reduction.elementSize(), reduction.allocate(rounded));
    }

    // the search is apart from the allocation, so that finding a piece makes no object, also in code that is not
    // optimised
    private @Nullable Object takeFree(Class<?> type, long bytes) {
        for (int i = 0; i < pieces.size(); i++) {
            Piece piece = pieces.get(i);
            if (!piece.taken && piece.type == type && piece.bytes >= bytes) {
                piece.taken = true;
                piece.lastUse = collectives;
                return piece.memory;
            }
        }
        return null;
    }

    private Object add(Class<?> type, long bytes, Object memory) {
        Piece piece = new Piece(type, bytes, memory);
        piece.lastUse = collectives;
        pieces.add(piece);
        return memory;
    }

    /** Ends a collective: everything taken is free again. */
    void giveBack() {
        collectives++;
        boolean areOld = false;
        for (int i = 0; i < pieces.size(); i++) {
            Piece piece = pieces.get(i);
            piece.taken = false;
            areOld |= collectives - piece.lastUse > PATIENCE;
        }
        if (areOld) {
            pieces.removeIf(piece -> collectives - piece.lastUse > PATIENCE);
        }
    }

    /** Forgets what was taken: after a failure a late message may still be written to it. */
    void discardTaken() {
        pieces.removeIf(piece -> piece.taken);
    }

    /** Sizes of similar calls share a piece; large ones are exact, so that at most 64 Ki elements are wasted. */
    private static int roundUp(int count) {
        if (count <= 16) {
            return 16;
        }
        return count > 1 << 16 ? count : Integer.highestOneBit(count - 1) << 1;
    }

    private static final class Piece {
        final Class<?> type;
        final long bytes;
        final Object memory;
        boolean taken = true;
        long lastUse;

        Piece(Class<?> type, long bytes, Object memory) {
            this.type = type;
            this.bytes = bytes;
            this.memory = memory;
        }
    }
}
