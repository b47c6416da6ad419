package org.galerna.collectives.shared;

import java.util.Objects;
import org.galerna.collectives.buffer.Blocks;
import org.galerna.collectives.buffer.Copying;
import org.galerna.collectives.reduction.Reduction;
import org.galerna.collectives.team.HeapMember;
import org.galerna.collectives.team.Publication;
import org.galerna.collectives.team.Team;
import org.galerna.collectives.team.Work;
import org.galerna.device.DeviceException;
import org.galerna.device.ErrorClass;
import org.galerna.memory.Buffers;
import org.jspecify.annotations.Nullable;

/**
 * Vectors combined where they are, by whichever ranks are running. Who takes a piece of the vector reads that range of
 * all ranks' arrays, combines it where the first of them wants it or in memory of its own, in the order of the ranks, and
 * writes the result to all who want it. Nobody else touches that range, so that a rank's result may go where its vector was; and since each range is
 * combined once, all get the same bits.
 */
public final class Combination implements Work {
    /** Bytes of a piece: what is combined stays in the first cache. */
    private static final int PIECE = 8 * 1024;

    private static final Combination TOTAL = new Combination(Kind.TOTAL);
    private static final Combination PREFIX = new Combination(Kind.PREFIX);
    private static final Combination PREFIX_BEFORE = new Combination(Kind.PREFIX_BEFORE);

    private enum Kind {
        /** All vectors. */
        TOTAL,
        /** For each rank the vectors up to its own. */
        PREFIX,
        /** For each rank the vectors before its own. */
        PREFIX_BEFORE
    }

    private final Kind kind;

    private Combination(Kind kind) {
        this.kind = kind;
    }

    /**
     * Combines the vectors of all ranks.
     *
     * @param receive where this rank wants the result; null if it does not
     */
    public static void total(
            Team team,
            Object send,
            long sendOffset,
            @Nullable Object receive,
            long receiveOffset,
            int count,
            Reduction reduction) {
        publish(team, send, sendOffset, count, reduction);
        run(team, TOTAL, receive, receiveOffset, (long) count * reduction.elementSize());
    }

    /** Combines for each rank the vectors up to its own, or before its own; then rank 0 gets nothing. */
    public static void prefixes(
            Team team,
            Object send,
            long sendOffset,
            Object receive,
            long receiveOffset,
            int count,
            Reduction reduction,
            boolean exclusive) {
        publish(team, send, sendOffset, count, reduction);
        Object wanted = exclusive && team.rank() == 0 ? null : receive;
        long bytes = (long) count * reduction.elementSize();
        run(team, exclusive ? PREFIX_BEFORE : PREFIX, wanted, receiveOffset, bytes);
    }

    /**
     * Combines the vectors of all ranks and gives each its part.
     *
     * @param parts which part of the vector each rank gets, in bytes
     */
    public static void parts(
            Team team,
            Object send,
            long sendOffset,
            Blocks parts,
            Object receive,
            long receiveOffset,
            Reduction reduction) {
        int count = Math.toIntExact(parts.total(team.size()) / reduction.elementSize());
        publish(team, send, sendOffset, count, reduction);
        team.seat().own().targetBlocks = parts;
        long bytes = parts.length(team.rank());
        if (send != receive) {
            run(team, TOTAL, receive, receiveOffset, bytes);
            return;
        }
        // what others still have to read may be where the part goes
        Object copy = team.scratch(reduction, Math.toIntExact(bytes / reduction.elementSize()));
        run(team, TOTAL, copy, 0, bytes);
        Copying.copy(copy, 0, receive, receiveOffset, bytes);
    }

    private static void publish(Team team, Object send, long sendOffset, int count, Reduction reduction) {
        long bytes = (long) count * reduction.elementSize();
        Buffers.check(send, sendOffset, bytes);
        HeapMember seat = team.seat();
        Publication own = seat.own();
        int elements = Math.max(PIECE / reduction.elementSize(), 1);
        while (count / elements >= seat.mostPieces()) {
            elements *= 2;
        }
        own.source = Loans.lend(team, send);
        own.sourceOffset = sendOffset;
        own.length = bytes;
        own.pieces = (count - 1) / elements + 1;
        own.pieceBytes = (long) elements * reduction.elementSize();
        own.reduction = reduction;
        own.scratch = team.scratch(reduction, elements);
        own.moreScratch = team.scratch(reduction, elements);
    }

    private static void run(Team team, Combination work, @Nullable Object receive, long receiveOffset, long bytes) {
        HeapMember seat = team.seat();
        if (receive == null) {
            seat.work(work);
            return;
        }
        Loans.checkTarget(receive, receiveOffset, bytes);
        Object lent = Loans.lend(team, receive);
        Publication own = seat.own();
        own.target = lent;
        own.targetOffset = receiveOffset;
        seat.work(work);
        Loans.takeBack(lent, receive);
    }

    @Override
    public int pieces(HeapMember seat) {
        return seat.publication(0).pieces;
    }

    @Override
    public void run(HeapMember seat, int piece) {
        Publication own = seat.own();
        long start = piece * own.pieceBytes;
        long bytes = Math.min(own.pieceBytes, own.length - start);
        for (int member = 0; member < seat.size(); member++) {
            long length = seat.publication(member).length;
            if (length != own.length) {
                throw seat.wrongLength(member, length, seat.member(), own.length);
            }
        }
        Reduction reduction = own.reduction;
        Object value = own.scratch;
        Object spare = own.moreScratch;
        if (reduction == null || value == null || spare == null) {
            throw new IllegalStateException("a rank takes part in a combination that it has not prepared");
        }
        int count = (int) (bytes / reduction.elementSize());
        if (kind == Kind.TOTAL) {
            combine(seat, start, bytes, count, reduction, value, spare);
        } else {
            combinePrefixes(seat, start, bytes, count, reduction, value, spare);
        }
    }

    private static void combine(
            HeapMember seat, long start, long bytes, int count, Reduction reduction, Object scratch, Object spare) {
        int last = seat.size() - 1;
        int place = placeOfResult(seat, reduction);
        Object value = scratch;
        long offset = 0;
        if (place >= 0) {
            Publication first = seat.publication(place);
            value = Objects.requireNonNull(first.target);
            offset = first.targetOffset + start;
        }
        copyFrom(seat.publication(last), start, value, offset, bytes);
        for (int member = last - 1; member >= 0; member--) {
            Publication operand = seat.publication(member);
            if (reduction.memoryType().isInstance(operand.source)
                    && (place >= 0 || operand.sourceOffset + start == offset)) {
                reduction.apply(operand.source, operand.sourceOffset + start, value, offset, count);
            } else { // operands at the same offsets are combined several times faster
                copyFrom(operand, start, spare, 0, bytes);
                reduction.apply(spare, 0, value, offset, count);
            }
        }
        for (int member = 0; member <= last; member++) {
            if (member != place) {
                deliver(seat.publication(member), member, value, offset, start, bytes);
            }
        }
    }

    /** The first member that the result may grow at, because it wants all of it and nothing is read from there; else -1. */
    private static int placeOfResult(HeapMember seat, Reduction reduction) {
        for (int member = 0; member < seat.size(); member++) {
            Publication each = seat.publication(member);
            if (each.target != each.source
                    && each.targetBlocks == Blocks.NONE
                    && reduction.memoryType().isInstance(each.target)) {
                return member;
            }
        }
        return -1;
    }

    private void combinePrefixes(
            HeapMember seat, long start, long bytes, int count, Reduction reduction, Object first, Object second) {
        Object before = first;
        Object value = second;
        copyFrom(seat.publication(0), start, before, 0, bytes);
        if (kind == Kind.PREFIX) {
            deliver(seat.publication(0), 0, before, 0, start, bytes);
        }
        for (int member = 1; member < seat.size(); member++) {
            Publication operand = seat.publication(member);
            copyFrom(operand, start, value, 0, bytes); // before the result goes to the same place
            if (kind == Kind.PREFIX_BEFORE) {
                deliver(operand, member, before, 0, start, bytes);
            }
            reduction.apply(before, 0, value, 0, count);
            if (kind == Kind.PREFIX) {
                deliver(operand, member, value, 0, start, bytes);
            }
            Object free = before;
            before = value;
            value = free;
        }
    }

    private static void copyFrom(Publication operand, long start, Object target, long offset, long bytes) {
        if (operand.source == null) {
            throw new DeviceException(ErrorClass.OTHER, "a rank has come without a vector");
        }
        Copying.copy(operand.source, operand.sourceOffset + start, target, offset, bytes);
    }

    /** Writes a range of the result to a member that wants it. */
    private static void deliver(Publication to, int member, Object value, long offset, long start, long bytes) {
        if (to.target == null) {
            return;
        }
        if (to.targetBlocks == Blocks.NONE) {
            Copying.copy(value, offset, to.target, to.targetOffset + start, bytes);
            return;
        }
        long partStart = to.targetBlocks.offset(member);
        long from = Math.max(start, partStart);
        long end = Math.min(start + bytes, partStart + to.targetBlocks.length(member));
        if (from < end) {
            Copying.copy(value, offset + from - start, to.target, to.targetOffset + from - partStart, end - from);
        }
    }
}
