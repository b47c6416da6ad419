package org.galerna.applications.fdtd;

import java.util.ArrayList;
import java.util.List;
import mpi.Comm;
import mpi.MPI;
import mpi.Prequest;
import mpi.Request;
import org.galerna.applications.fdtd.Decomposition.Side;

/**
 * Brings the ghost cells of a tile up to date: one message to and one from each neighbour. They travel between
 * {@link #start} and {@link #finish}, while the rank computes what needs no ghost cell. Borders are copied before they are
 * sent, so that the rank need not wait for the receiver before it computes them anew. Rows are received into the field
 * itself, columns into arrays. The requests are persistent, as the same messages are sent in every step. Not thread-safe.
 */
final class HaloExchange {
    private final Subdomain subdomain;
    private final List<Border> borders = new ArrayList<>();
    private final Prequest[] receives;
    private final Prequest[] sends;
    private int received;
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
                    border.inbound, border.inboundOffset, border.count, MPI.DOUBLE, neighbour, inboundTag));
            sends.add(communicator.Send_init(border.outbound, 0, border.count, MPI.DOUBLE, neighbour, side.tag()));
        }
        this.receives = receives.toArray(new Prequest[0]);
        this.sends = sends.toArray(new Prequest[0]);
    }

    private Border border(Side side) {
        if (side.isColumn()) {
            int height = subdomain.tile().height();
            return new Border(side, new double[height], new double[height], 0, height);
        }
        int width = subdomain.tile().width();
        return new Border(side, new double[width], subdomain.ghostRow(side), Subdomain.FIRST_CELL, width);
    }

    /** Sends the borders as they are now, and begins to receive those of the neighbours. */
    void start() {
        Request.Waitall(sends);
        for (Border border : borders) {
            subdomain.pack(border.side, border.outbound);
        }
        Prequest.Startall(receives);
        Prequest.Startall(sends);
        received = 0;
    }

    /** Moves messages on that need this rank for it. */
    void progress() {
        while (received < receives.length && receives[received].Test() != null) {
            received++;
        }
    }

    /** Returns when the ghost cells are filled. */
    void finish() {
        Request.Waitall(receives);
        for (Border border : borders) {
            if (border.side.isColumn()) {
                subdomain.unpackColumn(border.side, border.inbound);
            }
            messages++;
            bytes += (long) border.count * Double.BYTES;
        }
    }

    /** Returns when the neighbours have, or will get, all that was sent. */
    void flush() {
        Request.Waitall(sends);
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

    /** A side with a neighbour: a copy of the border is sent, the neighbour's border goes where {@code inbound} says. */
    private static final class Border {
        private final Side side;
        private final double[] outbound;
        private final double[] inbound;
        private final int inboundOffset;
        private final int count;

        Border(Side side, double[] outbound, double[] inbound, int inboundOffset, int count) {
            this.side = side;
            this.outbound = outbound;
            this.inbound = inbound;
            this.inboundOffset = inboundOffset;
            this.count = count;
        }
    }
}
