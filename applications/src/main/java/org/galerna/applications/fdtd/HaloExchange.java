package org.galerna.applications.fdtd;

import java.util.ArrayList;
import java.util.List;
import mpi.Comm;
import mpi.MPI;
import mpi.Prequest;
import mpi.Request;
import org.galerna.applications.fdtd.Decomposition.Side;

/**
 * Brings the ghost cells of a tile up to date: one message to and one from each neighbour. Rows are sent out of and
 * received into the field itself, columns go through arrays. The requests are persistent, as the same messages are sent
 * in every step. Not thread-safe.
 */
final class HaloExchange {
    private final Subdomain subdomain;
    private final List<Border> borders = new ArrayList<>();
    private final Prequest[] requests;
    private long messages;
    private long bytes;

    /** Between the ranks of a communicator that has the ranks of the decomposition. */
    HaloExchange(Comm communicator, Decomposition decomposition, Subdomain subdomain) {
        this.subdomain = subdomain;
        int rank = communicator.Rank();
        List<Prequest> receives = new ArrayList<>();
        List<Prequest> sends = new ArrayList<>();
        for (Side side : Side.values()) {
            int neighbour = decomposition.neighbour(rank, side);
            if (neighbour == Decomposition.NO_RANK) {
                continue;
            }
            Border border = border(side);
            borders.add(border);
            int inboundTag = side.opposite().tag();
            receives.add(communicator.Recv_init(
                    border.inbound, border.offset, border.count, MPI.DOUBLE, neighbour, inboundTag));
            sends.add(communicator.Send_init(
                    border.outbound, border.offset, border.count, MPI.DOUBLE, neighbour, side.tag()));
        }
        receives.addAll(sends);
        this.requests = receives.toArray(new Prequest[0]);
    }

    private Border border(Side side) {
        if (side.isColumn()) {
            int height = subdomain.tile().height();
            return new Border(side, new double[height], new double[height], 0, height);
        }
        return new Border(
                side,
                subdomain.borderRow(side),
                subdomain.ghostRow(side),
                Subdomain.FIRST_CELL,
                subdomain.tile().width());
    }

    /** Exchanges; returns when the ghost cells are filled. */
    void exchange() {
        for (Border border : borders) {
            if (border.side.isColumn()) {
                subdomain.packColumn(border.side, border.outbound);
            }
        }
        Prequest.Startall(requests);
        Request.Waitall(requests);
        for (Border border : borders) {
            if (border.side.isColumn()) {
                subdomain.unpackColumn(border.side, border.inbound);
            }
            messages++;
            bytes += (long) border.count * Double.BYTES;
        }
    }

    /** Counts from 0 again. */
    void clearCounters() {
        messages = 0;
        bytes = 0;
    }

    /** Messages this rank has sent. */
    long messages() {
        return messages;
    }

    /** Bytes this rank has sent. */
    long bytes() {
        return bytes;
    }

    /** A side with a neighbour; the arrays hold a column, or are rows of the field. */
    private static final class Border {
        private final Side side;
        private final double[] outbound;
        private final double[] inbound;
        private final int offset;
        private final int count;

        Border(Side side, double[] outbound, double[] inbound, int offset, int count) {
            this.side = side;
            this.outbound = outbound;
            this.inbound = inbound;
            this.offset = offset;
            this.count = count;
        }
    }
}
