package org.galerna.collectives.butterfly;

import org.galerna.collectives.team.Accumulator;
import org.galerna.collectives.team.Team;

/**
 * The first half of Rabenseifner's algorithm: partners at distance 1, 2, 4, … each keep one half of what they have and
 * combine it with the same half of the other. In the end every position has one part of the result. Because near
 * positions are combined first, operands keep the order of the ranks.
 *
 * <p>The vector is divided into as many parts as there are positions; a part may be empty.
 *
 * <p>Rabenseifner: "Optimization of collective reduction operations", ICCS 2004.
 */
public final class VectorHalving {
    private final Fold fold;
    private final int count;
    private final int elementSize;

    /** Halving of a vector of {@code count} elements of {@code elementSize} bytes each. */
    public VectorHalving(Fold fold, int count, int elementSize) {
        this.fold = fold;
        this.count = count;
        this.elementSize = elementSize;
    }

    /** First element of a part; {@code parts()} gives the end of the last one. */
    public int start(int part) {
        return (int) ((long) count * part / fold.positions());
    }

    /** Bytes in a range of parts. */
    public long bytes(int fromPart, int toPart) {
        return (long) (start(toPart) - start(fromPart)) * elementSize;
    }

    /** The part that a position has in the end: its bits say, lowest first, which half it has kept each time. */
    public int part(int position) {
        return firstPart(position, fold.positions());
    }

    /** First of the parts that a position has before the round with the given distance to its partner. */
    public int firstPart(int position, int distance) {
        int first = 0;
        int half = fold.positions() >> 1;
        for (int bit = 1; bit < distance; bit <<= 1) {
            if ((position & bit) != 0) {
                first += half;
            }
            half >>= 1;
        }
        return first;
    }

    /** Number of parts that a position has before the round with the given distance to its partner. */
    public int parts(int distance) {
        return fold.positions() / distance;
    }

    /** Combines the vectors of all positions; afterwards the accumulator has the {@link #part} of this position. */
    public void reduceScatter(Team team, Accumulator accumulator, int position) {
        for (int distance = 1; distance < fold.positions(); distance <<= 1) {
            int partner = position ^ distance;
            int peer = fold.rank(partner);
            int half = parts(distance) / 2;
            int mine = firstPart(position, distance << 1);
            int theirs = firstPart(partner, distance << 1);
            team.exchange(
                    accumulator.current(),
                    accumulator.currentOffset(start(theirs)),
                    bytes(theirs, theirs + half),
                    peer,
                    accumulator.spare(),
                    accumulator.spareOffset(start(mine)),
                    bytes(mine, mine + half),
                    peer);
            int elements = start(mine + half) - start(mine);
            if (position < partner) {
                accumulator.append(start(mine), elements);
            } else {
                accumulator.prepend(start(mine), elements);
            }
        }
    }

    /** The second half for all: partners at falling distances exchange what they have of the result in a buffer. */
    public void allgather(Team team, Object buffer, long offset, int position) {
        for (int distance = fold.positions() >> 1; distance > 0; distance >>= 1) {
            int partner = position ^ distance;
            int peer = fold.rank(partner);
            int half = parts(distance) / 2;
            int mine = firstPart(position, distance << 1);
            int theirs = firstPart(partner, distance << 1);
            team.exchange(
                    buffer,
                    offset + bytes(0, mine),
                    bytes(mine, mine + half),
                    peer,
                    buffer,
                    offset + bytes(0, theirs),
                    bytes(theirs, theirs + half),
                    peer);
        }
    }

    /** The second half for one: partners at falling distances send what they have towards the root's position. */
    public void gather(Team team, Object buffer, long offset, int position, int rootPosition) {
        for (int distance = fold.positions() >> 1; distance > 0; distance >>= 1) {
            int partner = position ^ distance;
            int peer = fold.rank(partner);
            int half = parts(distance) / 2;
            if (((position ^ rootPosition) & distance) != 0) {
                int mine = firstPart(position, distance << 1);
                team.send(buffer, offset + bytes(0, mine), bytes(mine, mine + half), peer);
                return;
            }
            int theirs = firstPart(partner, distance << 1);
            team.receive(buffer, offset + bytes(0, theirs), bytes(theirs, theirs + half), peer);
        }
    }
}
