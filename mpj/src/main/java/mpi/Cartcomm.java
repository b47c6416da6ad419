package mpi;

import org.galerna.device.ErrorClass;
import org.galerna.mpi.comm.Communicator;
import org.galerna.mpi.comm.Creation;
import org.galerna.mpi.topology.Grid;

/** A communicator whose ranks form a grid; see {@link Intracomm#Create_cart}. */
public class Cartcomm extends Intracomm {
    private final Grid grid;

    Cartcomm(Environment environment, Communicator inside, Grid grid) {
        super(environment, inside);
        this.grid = grid;
    }

    @Override
    public Object clone() throws MPIException {
        return call(
                inside.describe("clone"),
                () -> duplicated(new Cartcomm(environment(), Creation.duplicate(inside), grid)));
    }

    /** The grid and the place of this rank in it. */
    public CartParms Get() throws MPIException {
        requireUsable("Cartcomm.Get");
        return new CartParms(grid.dims(), grid.periods(), grid.coordinates(inside.rank()));
    }

    @Override
    public int Topo_test() throws MPIException {
        requireUsable("Comm.Topo_test");
        return MPI.CART;
    }

    /**
     * The rank at coordinates, which wrap in dimensions that are closed.
     *
     * @throws MPIException if they are outside the grid
     */
    public int Rank(int[] coords) throws MPIException {
        return call("Cartcomm.Rank", () -> {
            checkLength(coords == null ? -1 : coords.length, "coordinates");
            int found = grid.rank(coords);
            if (found == Constants.PROC_NULL) {
                throw Errors.wrong(ErrorClass.ARG, "the coordinates are outside the grid");
            }
            return found;
        });
    }

    /** The coordinates of a rank. */
    public int[] Coords(int rank) throws MPIException {
        requireUsable("Cartcomm.Coords");
        if (rank < 0 || rank >= inside.size()) {
            throw Errors.failed(
                    this,
                    "Cartcomm.Coords",
                    Errors.wrong(ErrorClass.RANK, "there is no rank " + rank + " in a grid of " + inside.size()));
        }
        return grid.coordinates(rank);
    }

    /**
     * The partners of this rank when all ranks send {@code disp} steps along a dimension.
     *
     * @param direction the dimension, from 0
     * @param disp steps, backwards if negative
     */
    public ShiftParms Shift(int direction, int disp) throws MPIException {
        requireUsable("Cartcomm.Shift");
        int dimensions = grid.dims().length;
        if (direction < 0 || direction >= dimensions) {
            throw Errors.failed(
                    this,
                    "Cartcomm.Shift",
                    Errors.wrong(
                            ErrorClass.ARG,
                            "there is no dimension " + direction + ", the grid has " + dimensions + " dimensions"));
        }
        return new ShiftParms(
                grid.neighbour(inside.rank(), direction, -(long) disp), grid.neighbour(inside.rank(), direction, disp));
    }

    /**
     * Divides the grid into grids of fewer dimensions.
     *
     * @param remain_dims which dimensions are kept
     */
    public Cartcomm Sub(boolean[] remain_dims) throws MPIException {
        return call("Cartcomm.Sub", () -> {
            checkLength(remain_dims == null ? -1 : remain_dims.length, "flags");
            Communicator part = Creation.split(inside, grid.slice(inside.rank(), remain_dims), inside.rank());
            if (part == null) {
                throw new IllegalStateException("every rank has a slice");
            }
            return derived(new Cartcomm(environment(), part, grid.sub(remain_dims)));
        });
    }

    /** The rank that this one should have in a grid, {@link MPI#UNDEFINED} if it should not belong to it. */
    public int Map(int[] dims, boolean[] periods) throws MPIException {
        return call("Cartcomm.Map", () -> {
            inside.checkUsable();
            return inside.rank() < Grid.of(dims, periods, inside.size()).size() ? inside.rank() : MPI.UNDEFINED;
        });
    }

    /**
     * Chooses a balanced grid: the zeros among {@code dims} are replaced so that their product is {@code nnodes}.
     *
     * @throws MPIException if {@code nnodes} is not a multiple of the other numbers
     */
    public static void Dims_create(int nnodes, int[] dims) throws MPIException {
        try {
            Grid.fill(nnodes, dims);
        } catch (RuntimeException failure) {
            throw Errors.failed("Cartcomm.Dims_create", failure);
        }
    }

    private void checkLength(int length, String what) {
        inside.checkUsable();
        int dimensions = grid.dims().length;
        if (length != dimensions) {
            throw Errors.wrong(ErrorClass.ARG, "there must be " + dimensions + " " + what + ", one for each dimension");
        }
    }
}
