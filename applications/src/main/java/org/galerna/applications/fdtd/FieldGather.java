package org.galerna.applications.fdtd;

import mpi.Intracomm;
import mpi.MPI;
import org.jspecify.annotations.Nullable;

/**
 * Collects what the ranks hold of a field on rank 0: every cell, or every {@code pitch}-th of every {@code pitch}-th
 * row, which is enough for a picture. Not thread-safe.
 */
final class FieldGather {
    private static final int ROOT = 0;

    private final Intracomm communicator;
    private final Subdomain subdomain;
    private final Tile[] tiles;
    private final int pitch;
    private final int columns;
    private final int rows;
    private final double[] part;
    private final int[] counts;
    private final int[] offsets;
    private final double @Nullable [] parts;

    /** For samples at a distance of {@code pitch} cells. */
    FieldGather(Intracomm communicator, Decomposition decomposition, Subdomain subdomain, int pitch) {
        this.communicator = communicator;
        this.subdomain = subdomain;
        this.pitch = pitch;
        this.columns = samples(0, decomposition.gridWidth());
        this.rows = samples(0, decomposition.gridHeight());
        this.tiles = new Tile[decomposition.ranks()];
        this.counts = new int[tiles.length];
        this.offsets = new int[tiles.length];
        int offset = 0;
        for (int rank = 0; rank < tiles.length; rank++) {
            tiles[rank] = decomposition.tile(rank);
            counts[rank] = columnsOf(tiles[rank]) * rowsOf(tiles[rank]);
            offsets[rank] = offset;
            offset += counts[rank];
        }
        this.part = new double[counts[communicator.Rank()]];
        this.parts = communicator.Rank() == ROOT ? new double[offset] : null;
    }

    /** The smallest pitch with which the longer side of the grid has at most {@code limit} samples. */
    static int pitchFor(Decomposition decomposition, int limit) {
        int longest = Math.max(decomposition.gridWidth(), decomposition.gridHeight());
        return (longest + limit - 1) / limit;
    }

    private int samples(int from, int to) {
        return (to + pitch - 1) / pitch - (from + pitch - 1) / pitch;
    }

    private int columnsOf(Tile tile) {
        return samples(tile.x(), tile.endX());
    }

    private int rowsOf(Tile tile) {
        return samples(tile.y(), tile.endY());
    }

    /** Samples in x. */
    int columns() {
        return columns;
    }

    /** Samples in y. */
    int rows() {
        return rows;
    }

    /**
     * Gathers samples of {@code Ez}; every rank must call it.
     *
     * @return on rank 0 all samples row by row; elsewhere nothing
     */
    double[] gather() {
        subdomain.sample(pitch, part);
        return gatherParts();
    }

    /**
     * Gathers a component cell by cell, for a pitch of 1; every rank must call it.
     *
     * @return on rank 0 all cells row by row; elsewhere nothing
     */
    double[] gather(Component component) {
        if (pitch != 1) {
            throw new IllegalStateException("whole components are gathered with a pitch of 1, not " + pitch);
        }
        subdomain.copy(component, part);
        return gatherParts();
    }

    private double[] gatherParts() {
        double[] target = parts == null ? new double[0] : parts;
        communicator.Gatherv(part, 0, part.length, MPI.DOUBLE, target, 0, counts, offsets, MPI.DOUBLE, ROOT);
        return parts == null ? target : assemble(target);
    }

    private double[] assemble(double[] source) {
        double[] whole = new double[columns * rows];
        for (int rank = 0; rank < tiles.length; rank++) {
            Tile tile = tiles[rank];
            int width = columnsOf(tile);
            int firstColumn = samples(0, tile.x());
            int firstRow = samples(0, tile.y());
            for (int row = 0; row < rowsOf(tile); row++) {
                System.arraycopy(
                        source, offsets[rank] + row * width, whole, (firstRow + row) * columns + firstColumn, width);
            }
        }
        return whole;
    }
}
