package org.galerna.collectives.butterfly;

import org.galerna.collectives.algorithm.Algorithm;
import org.galerna.collectives.team.Accumulator;
import org.galerna.collectives.team.Team;

/**
 * How {@code p} ranks are folded to a power of two: of each of the first {@code p − 2^k} pairs of neighbours one rank
 * hands its vector to the other and stands aside. The ranks that remain, the positions, are numbered in rank order, and
 * each position stands for consecutive ranks: order matters to operations that do not commute.
 *
 * @param ranks number of ranks
 * @param favoured rank that must remain, or −1
 */
public record Fold(int ranks, int favoured) {
    /** Number of positions: the largest power of two that is not above the number of ranks. */
    public int positions() {
        return Integer.highestOneBit(ranks);
    }

    /** Number of pairs. */
    public int pairs() {
        return ranks - positions();
    }

    /** Position of a rank; −1 if it stands aside. */
    public int position(int rank) {
        if (rank >= 2 * pairs()) {
            return rank - pairs();
        }
        return rank(rank / 2) == rank ? rank / 2 : -1;
    }

    /** The rank that remains at a position. */
    public int rank(int position) {
        if (position >= pairs()) {
            return position + pairs();
        }
        return favoured == 2 * position ? favoured : 2 * position + 1;
    }

    /** The other rank of a pair; −1 if the rank is in none. */
    public int neighbour(int rank) {
        return rank < 2 * pairs() ? rank ^ 1 : -1;
    }

    /** Rounds among the positions. */
    public int rounds() {
        return Integer.numberOfTrailingZeros(positions());
    }

    /** Steps that a message takes through the folding and the rounds, for the cost of an algorithm. */
    public static double steps(int ranks) {
        return Integer.bitCount(ranks) == 1 ? Algorithm.rounds(ranks) : Algorithm.rounds(ranks) + 1.0;
    }

    /**
     * Hands the vectors of the ranks that stand aside to their neighbours.
     *
     * @param accumulator vector of this rank; afterwards, of its position
     * @param count elements of the vector
     * @param bytes size of the vector
     * @return position of this rank; −1 if it stands aside now
     */
    public int gatherPairs(Team team, Accumulator accumulator, int count, long bytes) {
        int rank = team.rank();
        int neighbour = neighbour(rank);
        int position = position(rank);
        if (neighbour >= 0) {
            if (position < 0) {
                team.send(accumulator.current(), accumulator.currentOffset(0), bytes, neighbour);
            } else {
                team.receive(accumulator.spare(), accumulator.spareOffset(0), bytes, neighbour);
                if (neighbour < rank) {
                    accumulator.prepend(0, count);
                } else {
                    accumulator.append(0, count);
                }
            }
        }
        return position;
    }

    /** Sends a result from the ranks that remain to their neighbours that have stood aside. */
    public void spreadToPairs(Team team, Object buffer, long offset, long bytes) {
        int rank = team.rank();
        int neighbour = neighbour(rank);
        if (neighbour >= 0) {
            if (position(rank) < 0) {
                team.receive(buffer, offset, bytes, neighbour);
            } else {
                team.send(buffer, offset, bytes, neighbour);
            }
        }
    }
}
