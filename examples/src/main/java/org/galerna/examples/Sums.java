package org.galerna.examples;

import java.util.List;
import mpi.MPI;
import org.galerna.ranks.Ranks;

/** Starts its ranks itself: run it like any class with a main method, for example from an IDE. */
public final class Sums {
    private Sums() {}

    /** Prints the sum of all ranks, as each of them has it. */
    public static void main(String[] arguments) {
        Ranks four = Ranks.of(4); // @start region="sums"
        List<Integer> sums = four.call(world -> {
            int[] sum = {world.Rank()};
            world.Allreduce(MPI.IN_PLACE, 0, sum, 0, 1, MPI.INT, MPI.SUM);
            return sum[0];
        });
        // @end
        System.out.println(sums);
    }
}
