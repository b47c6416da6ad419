package org.galerna.collectives.shared;

import org.galerna.collectives.buffer.Blocks;
import org.galerna.collectives.buffer.Copying;
import org.galerna.collectives.team.HeapMember;
import org.galerna.collectives.team.Publication;
import org.galerna.collectives.team.Team;
import org.galerna.collectives.team.Work;
import org.galerna.memory.Buffers;

/**
 * Blocks copied once, from array to array, by whichever ranks are running. What a rank is to receive, one block after the
 * other in the order of the ranks, is divided into pieces of {@value #PIECE} bytes.
 *
 * <p>Each rank fills its {@link Publication} by {@link #give} and {@link #take} and then calls {@link #run}.
 */
public final class Movement implements Work {
    /** Bytes of a piece: large enough that claiming is free, small enough that all end together. */
    private static final long PIECE = 16 * 1024;

    private static final Movement INSTANCE = new Movement();

    private Movement() {}

    /**
     * Lets others read.
     *
     * @param blocks where the block for each rank is; {@link Blocks#NONE} if all get the same
     * @param length bytes, if all get the same
     */
    public static void give(Team team, Object buffer, long offset, Blocks blocks, long length) {
        if (blocks == Blocks.NONE) {
            Buffers.check(buffer, offset, length);
        } else {
            Loans.checkBlocks(buffer, offset, blocks, team.size());
        }
        Publication own = team.seat().own();
        own.source = Loans.lend(team, buffer);
        own.sourceOffset = offset;
        own.sourceBlocks = blocks;
        own.length = length;
    }

    /** Lets others write a block from each of them. */
    public static void take(Team team, Object buffer, long offset, Blocks blocks) {
        Loans.checkTarget(buffer, offset, blocks, team.size());
        Publication own = team.seat().own();
        own.target = Loans.lend(team, buffer);
        own.targetOffset = offset;
        own.targetBlocks = blocks;
        divide(team, blocks.total(team.size()) - blocks.length(team.rank()));
    }

    /** Lets others write {@code length} bytes from one rank. */
    public static void take(Team team, Object buffer, long offset, long length, int from) {
        Loans.checkTarget(buffer, offset, length);
        Publication own = team.seat().own();
        own.target = Loans.lend(team, buffer);
        own.targetOffset = offset;
        own.length = length;
        own.from = from;
        divide(team, length);
    }

    private static void divide(Team team, long bytes) {
        HeapMember seat = team.seat();
        Publication own = seat.own();
        own.pieceBytes = PIECE;
        while (bytes / own.pieceBytes >= seat.mostPieces()) {
            own.pieceBytes *= 2;
        }
        own.pieces = (int) ((bytes + own.pieceBytes - 1) / own.pieceBytes);
    }

    /** Moves everything. */
    public static void run(Team team) {
        team.seat().work(INSTANCE);
    }

    /**
     * Moves everything, and brings what has come to the buffer.
     *
     * @param buffer as in {@link #take}
     */
    public static void run(Team team, Object buffer) {
        Object lent = team.seat().own().target;
        team.seat().work(INSTANCE);
        if (lent != null) {
            Loans.takeBack(lent, buffer);
        }
    }

    @Override
    public int pieces(HeapMember seat) {
        int pieces = 0;
        for (int member = 0; member < seat.size(); member++) {
            pieces += seat.publication(member).pieces;
        }
        return pieces;
    }

    @Override
    public void run(HeapMember seat, int piece) {
        int index = piece;
        int member = 0;
        while (index >= seat.publication(member).pieces) {
            index -= seat.publication(member).pieces;
            member++;
        }
        Publication to = seat.publication(member);
        long start = index * to.pieceBytes;
        long end = start + to.pieceBytes;
        if (to.from != Publication.ALL) {
            copy(seat, to.from, member, start, Math.min(end, to.length), 0);
            return;
        }
        long position = 0;
        for (int from = 0; from < seat.size() && position < end; from++) {
            if (from != member) {
                long blockEnd = position + to.targetBlocks.length(from);
                copy(seat, from, member, Math.max(start, position), Math.min(end, blockEnd), position);
                position = blockEnd;
            }
        }
    }

    /** Copies a range of what a member receives, where its block from that rank begins at {@code position}. */
    private static void copy(HeapMember seat, int from, int member, long start, long end, long position) {
        if (start >= end) {
            return;
        }
        Publication source = seat.publication(from);
        Publication target = seat.publication(member);
        boolean whole = source.sourceBlocks == Blocks.NONE;
        long sent = whole ? source.length : source.sourceBlocks.length(member);
        long received = target.from == Publication.ALL ? target.targetBlocks.length(from) : target.length;
        if (source.source == null || target.target == null || sent != received) {
            throw seat.wrongLength(from, sent, member, received);
        }
        Copying.copy(
                source.source,
                source.sourceOffset + (whole ? 0 : source.sourceBlocks.offset(member)) + start - position,
                target.target,
                target.targetOffset + target.targetBlocks.offset(from) + start - position,
                end - start);
    }
}
