package mpi;

/** The partners of a rank in a shift along a dimension of a grid. */
public class ShiftParms {
    /** Rank to receive from; {@link MPI#PROC_NULL} at the border of the grid. */
    public int rank_source;

    /** Rank to send to; {@link MPI#PROC_NULL} at the border of the grid. */
    public int rank_dest;

    /** No partners yet. */
    public ShiftParms() {}

    ShiftParms(int source, int destination) {
        this.rank_source = source;
        this.rank_dest = destination;
    }
}
