package org.galerna.collectives.allreduce;

import org.galerna.collectives.algorithm.Allreduce;
import org.galerna.collectives.algorithm.Cost;
import org.galerna.collectives.algorithm.Restrictions;
import org.galerna.collectives.reduction.Reduction;
import org.galerna.collectives.team.Team;

/**
 * The vector is divided into p parts that go round a ring twice: first each rank adds its own part to what comes by,
 * then the results go round. Every message is 1/p of the vector and every link is busy all the time. For very long
 * vectors and few ranks, of any number.
 *
 * <p>Patarasuk, Yuan: "Bandwidth optimal all-reduce algorithms for clusters of workstations", JPDC 69 (2009).
 */
public final class RingAllreduce implements Allreduce {
    @Override
    public String name() {
        return "ring";
    }

    @Override
    public Restrictions restrictions() {
        return Restrictions.COMMUTATIVE;
    }

    @Override
    public Cost cost(int ranks, long bytes) {
        double share = (ranks - 1.0) / ranks;
        return new Cost(2 * (ranks - 1.0), 2 * share * bytes, share * bytes);
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
        int size = team.size();
        int rank = team.rank();
        int next = (rank + 1) % size;
        int previous = (rank - 1 + size) % size;
        long elementSize = reduction.elementSize();
        boolean inPlace = send == receive && sendOffset == receiveOffset;
        Object incoming = inPlace ? team.scratch(reduction, start(count, 1, size) + 1) : receive;

        for (int step = 0; step < size - 1; step++) {
            int outgoing = (rank - step + size) % size;
            int part = (rank - step - 1 + size) % size;
            long first = start(count, part, size) * elementSize;
            int elements = start(count, part + 1, size) - start(count, part, size);
            long incomingOffset = inPlace ? 0 : receiveOffset + first;
            team.exchange(
                    step == 0 ? send : receive,
                    (step == 0 ? sendOffset : receiveOffset) + start(count, outgoing, size) * elementSize,
                    (start(count, outgoing + 1, size) - start(count, outgoing, size)) * elementSize,
                    next,
                    incoming,
                    incomingOffset,
                    elements * elementSize,
                    previous);
            if (inPlace) {
                reduction.apply(incoming, 0, receive, receiveOffset + first, elements);
            } else {
                reduction.apply(send, sendOffset + first, receive, receiveOffset + first, elements);
            }
        }
        for (int step = 0; step < size - 1; step++) {
            int outgoing = (rank + 1 - step + size) % size;
            int part = (rank - step + size) % size;
            team.exchange(
                    receive,
                    receiveOffset + start(count, outgoing, size) * elementSize,
                    (start(count, outgoing + 1, size) - start(count, outgoing, size)) * elementSize,
                    next,
                    receive,
                    receiveOffset + start(count, part, size) * elementSize,
                    (start(count, part + 1, size) - start(count, part, size)) * elementSize,
                    previous);
        }
    }

    /** First element of a part. */
    private static int start(int count, int part, int parts) {
        return (int) ((long) count * part / parts);
    }
}
