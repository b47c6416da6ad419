package org.galerna.mpi.topology;

import java.util.Arrays;
import org.galerna.device.DeviceException;
import org.galerna.device.ErrorClass;
import org.galerna.mpi.group.Group;
import org.jspecify.annotations.Nullable;

/** A grid of ranks in any number of dimensions; the last dimension varies fastest, as MPI has it. */
public final class Grid {
    private final int[] dims;
    private final boolean[] periods;

    private Grid(int[] dims, boolean[] periods) {
        this.dims = dims;
        this.periods = periods;
    }

    /** A grid of at most {@code ranks} ranks. */
    public static Grid of(int @Nullable [] dims, boolean @Nullable [] periods, int ranks) {
        if (dims == null || periods == null || dims.length != periods.length) {
            throw new DeviceException(ErrorClass.DIMS, "dimensions and periods must be arrays of the same length");
        }
        long size = 1;
        for (int dim : dims) {
            if (dim < 1) {
                throw new DeviceException(ErrorClass.DIMS, "a dimension has at least one rank, not " + dim);
            }
            size *= dim;
            if (size > ranks) {
                throw new DeviceException(
                        ErrorClass.DIMS,
                        "a grid of " + Arrays.toString(dims) + " needs more ranks than there are (" + ranks + ")");
            }
        }
        return new Grid(dims.clone(), periods.clone());
    }

    /** Number of ranks. */
    public int size() {
        int size = 1;
        for (int dim : dims) {
            size *= dim;
        }
        return size;
    }

    /** Number of ranks in each dimension. */
    public int[] dims() {
        return dims.clone();
    }

    /** Whether each dimension is closed to a ring. */
    public boolean[] periods() {
        return periods.clone();
    }

    /** Where a rank is. */
    public int[] coordinates(int rank) {
        int[] coordinates = new int[dims.length];
        int rest = rank;
        for (int dimension = dims.length - 1; dimension >= 0; dimension--) {
            coordinates[dimension] = rest % dims[dimension];
            rest /= dims[dimension];
        }
        return coordinates;
    }

    /** The rank at coordinates that wrap in closed dimensions; {@link Group#NULL_PROCESS} if they are outside. */
    public int rank(int[] coordinates) {
        int rank = 0;
        for (int dimension = 0; dimension < dims.length; dimension++) {
            int at = coordinates[dimension];
            if (periods[dimension]) {
                at = Math.floorMod(at, dims[dimension]);
            } else if (at < 0 || at >= dims[dimension]) {
                return Group.NULL_PROCESS;
            }
            rank = rank * dims[dimension] + at;
        }
        return rank;
    }

    /** The rank {@code steps} further along a dimension; {@link Group#NULL_PROCESS} if that is outside. */
    public int neighbour(int rank, int dimension, long steps) {
        int[] coordinates = coordinates(rank);
        long at = coordinates[dimension] + steps;
        if (periods[dimension]) {
            at = Math.floorMod(at, dims[dimension]);
        } else if (at < 0 || at >= dims[dimension]) {
            return Group.NULL_PROCESS;
        }
        coordinates[dimension] = (int) at;
        return rank(coordinates);
    }

    /** The dimensions that are kept. */
    public Grid sub(boolean[] kept) {
        int[] subDims = new int[dims.length];
        boolean[] subPeriods = new boolean[dims.length];
        int count = 0;
        for (int dimension = 0; dimension < dims.length; dimension++) {
            if (kept[dimension]) {
                subDims[count] = dims[dimension];
                subPeriods[count] = periods[dimension];
                count++;
            }
        }
        return new Grid(Arrays.copyOf(subDims, count), Arrays.copyOf(subPeriods, count));
    }

    /** A number that ranks share if and only if they differ in none of the dimensions that are dropped. */
    public int slice(int rank, boolean[] kept) {
        int[] coordinates = coordinates(rank);
        int slice = 0;
        for (int dimension = 0; dimension < dims.length; dimension++) {
            if (!kept[dimension]) {
                slice = slice * dims[dimension] + coordinates[dimension];
            }
        }
        return slice;
    }

    /** Replaces zeros so that the product is {@code ranks} and the new numbers are close, in falling order. */
    public static void fill(int ranks, int[] dims) {
        int rest = ranks;
        int free = 0;
        for (int dim : dims) {
            if (dim < 0) {
                throw new DeviceException(ErrorClass.DIMS, "a dimension must not be negative, it is " + dim);
            }
            if (dim == 0) {
                free++;
            } else if (rest % dim != 0) {
                throw new DeviceException(
                        ErrorClass.DIMS,
                        ranks + " ranks cannot be divided by the given dimensions " + Arrays.toString(dims));
            } else {
                rest /= dim;
            }
        }
        if (ranks < 1 || (free == 0 && rest != 1)) {
            throw new DeviceException(
                    ErrorClass.DIMS, "dimensions " + Arrays.toString(dims) + " do not make " + ranks + " ranks");
        }
        int[] factors = balanced(rest, free);
        int next = 0;
        for (int dimension = 0; dimension < dims.length; dimension++) {
            if (dims[dimension] == 0) {
                dims[dimension] = factors[next++];
            }
        }
    }

    /** {@code parts} factors of a number, falling, the greatest as small as possible. */
    private static int[] balanced(int number, int parts) {
        int[] factors = new int[parts];
        int rest = number;
        for (int part = 0; part < parts; part++) {
            factors[part] = smallestFirstFactor(rest, parts - part);
            rest /= factors[part];
        }
        return factors;
    }

    /** The smallest divisor that leaves a rest which {@code parts - 1} factors not greater than it can make. */
    private static int smallestFirstFactor(int number, int parts) {
        if (parts == 1) {
            return number;
        }
        for (int factor = 1; factor < number; factor++) {
            if (number % factor == 0 && isProductOf(number / factor, parts - 1, factor)) {
                return factor;
            }
        }
        return number;
    }

    private static boolean isProductOf(int number, int parts, int greatest) {
        if (number == 1) {
            return true;
        }
        if (parts == 0) {
            return false;
        }
        for (int factor = Math.min(number, greatest); factor > 1; factor--) {
            if (number % factor == 0 && isProductOf(number / factor, parts - 1, factor)) {
                return true;
            }
        }
        return false;
    }
}
