package mpi;

/** The shape of a grid and the place of a rank in it. */
public class CartParms {
    /** Number of ranks in each dimension. */
    public int[] dims = {};

    /** Whether a dimension is closed to a ring. */
    public boolean[] periods = {};

    /** Coordinates of the rank that asked. */
    public int[] coords = {};

    /** A grid without dimensions. */
    public CartParms() {}

    CartParms(int[] dims, boolean[] periods, int[] coords) {
        this.dims = dims;
        this.periods = periods;
        this.coords = coords;
    }
}
