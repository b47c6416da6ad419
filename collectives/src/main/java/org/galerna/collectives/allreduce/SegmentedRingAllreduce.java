package org.galerna.collectives.allreduce;

import org.galerna.collectives.algorithm.Allreduce;
import org.galerna.collectives.algorithm.Cost;
import org.galerna.collectives.algorithm.Restrictions;
import org.galerna.collectives.reduction.Reduction;
import org.galerna.collectives.team.Team;

/**
 * The {@linkplain RingAllreduce ring} with parts that travel in segments: while a segment is combined, the next one
 * comes in and the one before goes on. For vectors whose parts are longer than a segment.
 *
 * <p>Pješivac-Grbović, Angskun, Bosilca, Fagg, Gabriel, Dongarra: "Performance analysis of MPI collective operations",
 * Cluster Computing 10 (2007), for segmentation.
 */
public final class SegmentedRingAllreduce implements Allreduce {
    /** Long enough that its message costs little, short enough that two of them stay in a core's cache. */
    static final int SEGMENT_BYTES = 64 << 10;

    @Override
    public String name() {
        return "segmentedRing";
    }

    @Override
    public Restrictions restrictions() {
        return Restrictions.COMMUTATIVE;
    }

    @Override
    public Cost cost(int ranks, long bytes) {
        double share = (ranks - 1.0) / ranks;
        double segments = Math.max(1, Math.ceil((double) bytes / ranks / SEGMENT_BYTES));
        return new Cost((ranks - 1.0) * (segments + 1), 2 * share * bytes, share * bytes / segments);
    }

    @Override
    public void allreduce(
            Team team,
            Object send,
            long sendOffset,
            Object receive,
            long receiveOffset,
            int count,
            Reduction reduction) {
        Ring ring = new Ring(team, send, sendOffset, receive, receiveOffset, count, reduction);
        ring.combine();
        ring.spread();
    }

    /** One operation; what is received is numbered by segment, step after step. */
    private static final class Ring {
        private final Team team;
        private final Object send;
        private final long sendOffset;
        private final Object receive;
        private final long receiveOffset;
        private final int count;
        private final Reduction reduction;
        private final int size;
        private final int next;
        private final int previous;
        private final int segments;
        private final boolean inPlace;
        private final Object[] arrivals = new Object[2];

        Ring(
                Team team,
                Object send,
                long sendOffset,
                Object receive,
                long receiveOffset,
                int count,
                Reduction reduction) {
            this.team = team;
            this.send = send;
            this.sendOffset = sendOffset;
            this.receive = receive;
            this.receiveOffset = receiveOffset;
            this.count = count;
            this.reduction = reduction;
            size = team.size();
            next = (team.rank() + 1) % size;
            previous = (team.rank() - 1 + size) % size;
            int longestPart = (count + size - 1) / size;
            int perSegment = Math.max(1, SEGMENT_BYTES / reduction.elementSize());
            segments = Math.max(1, (longestPart + perSegment - 1) / perSegment);
            inPlace = send == receive && sendOffset == receiveOffset;
            if (inPlace) {
                arrivals[0] = team.scratch(reduction, longestPart / segments + 1);
                arrivals[1] = team.scratch(reduction, longestPart / segments + 1);
            } else {
                arrivals[0] = receive;
                arrivals[1] = receive;
            }
        }

        /** Leaves the part after that of this rank combined. */
        void combine() {
            int last = (size - 1) * segments - 1;
            startReceive(0);
            for (int number = 0; number <= last; number++) {
                startSend(number);
                if (number < last) {
                    startReceive(number + 1); // into the place that the segment before this one has left
                }
                if (number > 0) {
                    team.awaitFirst(); // the send before this one
                }
                team.awaitFirst();
                combine(number);
            }
            team.awaitAll();
        }

        private void startReceive(int number) {
            int start = start(incomingPart(number), number);
            int length = start(incomingPart(number), number + 1, number) - start;
            team.startReceive(arrivals[number & 1], arrival(start), bytes(length), previous);
        }

        private void startSend(int number) {
            // what is sent in the first step is this rank's own, and later what has been combined a step before
            boolean first = number < segments;
            int part = Math.floorMod(team.rank() - number / segments, size);
            int start = start(part, number);
            int length = start(part, number + 1, number) - start;
            team.startSend(
                    first ? send : receive, (first ? sendOffset : receiveOffset) + bytes(start), bytes(length), next);
        }

        private void combine(int number) {
            int start = start(incomingPart(number), number);
            int length = start(incomingPart(number), number + 1, number) - start;
            if (inPlace) {
                reduction.apply(arrivals[number & 1], 0, receive, receiveOffset + bytes(start), length);
            } else {
                reduction.apply(send, sendOffset + bytes(start), receive, receiveOffset + bytes(start), length);
            }
        }

        /** Hands the combined parts on, whole. */
        void spread() {
            for (int step = 0; step < size - 1; step++) {
                int outgoing = Math.floorMod(team.rank() + 1 - step, size);
                int incoming = Math.floorMod(team.rank() - step, size);
                team.exchange(
                        receive,
                        receiveOffset + bytes(partStart(outgoing)),
                        bytes(partStart(outgoing + 1) - partStart(outgoing)),
                        next,
                        receive,
                        receiveOffset + bytes(partStart(incoming)),
                        bytes(partStart(incoming + 1) - partStart(incoming)),
                        previous);
            }
        }

        private int incomingPart(int number) {
            return Math.floorMod(team.rank() - number / segments - 1, size);
        }

        private long arrival(int start) {
            return inPlace ? 0 : receiveOffset + bytes(start);
        }

        /** First element of the segment with this number, which is one of the part. */
        private int start(int part, int number) {
            return start(part, number, number);
        }

        /** First element of a segment, or the end of the part for the one after the last of {@code ofStep}'s step. */
        private int start(int part, int number, int ofStep) {
            int segment = number - ofStep / segments * segments;
            int from = partStart(part);
            int length = partStart(part + 1) - from;
            return from + (int) ((long) length * segment / segments);
        }

        private int partStart(int part) {
            return (int) ((long) count * part / size);
        }

        private long bytes(int elements) {
            return (long) elements * reduction.elementSize();
        }
    }
}
