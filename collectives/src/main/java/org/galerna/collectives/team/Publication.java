package org.galerna.collectives.team;

import org.galerna.collectives.buffer.Blocks;
import org.galerna.collectives.reduction.Reduction;
import org.jspecify.annotations.Nullable;

/**
 * What a member lets the others do during one round of {@linkplain Work common work}: read its source, write its target.
 *
 * <p>Argument: the member writes the fields before it enters the round (release) and others read them when all have
 * entered (acquire) and while they have a piece of work in hand. The member leaves the round, and changes the fields
 * again, only when every piece is done (each counted with release, the full count read with acquire).
 */
public final class Publication {
    /** The rank that alone has something for this one; or this, if all have. */
    public static final int ALL = -1;

    /** What the others read; null if there is nothing. */
    public @Nullable Object source;

    /** Where it begins, in bytes. */
    public long sourceOffset;

    /** Which part of the source is for which member; {@link Blocks#NONE} if all get the beginning. */
    public Blocks sourceBlocks = Blocks.NONE;

    /** Where results of this member go; null if it gets none. */
    public @Nullable Object target;

    /** Where they begin, in bytes. */
    public long targetOffset;

    /** Where in the target the part from each member goes; {@link Blocks#NONE} for the beginning. */
    public Blocks targetBlocks = Blocks.NONE;

    /** Bytes of the source where it is not divided, or else of the target. */
    public long length;

    /** Member that this one gets something from, or {@link #ALL}. */
    public int from = ALL;

    /** Pieces of the work for this member. */
    public int pieces;

    /** Bytes in a piece, but for the last. */
    public long pieceBytes;

    /** How this member combines; for pieces that it takes itself. */
    public @Nullable Reduction reduction;

    /** Memory of this member alone, for the pieces that it takes itself. */
    public @Nullable Object scratch;

    /** As {@link #scratch}. */
    public @Nullable Object moreScratch;

    Publication() {}

    /** Lets go of the member's memory. */
    void clear() {
        source = null;
        sourceOffset = 0;
        sourceBlocks = Blocks.NONE;
        target = null;
        targetOffset = 0;
        targetBlocks = Blocks.NONE;
        length = 0;
        from = ALL;
        pieces = 0;
        pieceBytes = 0;
        reduction = null;
        scratch = null;
        moreScratch = null;
    }
}
