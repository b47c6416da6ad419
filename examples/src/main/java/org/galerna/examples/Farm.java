package org.galerna.examples;

import java.io.Serializable;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Status;

/**
 * A master hands out tasks as objects, and whichever worker is done first gets the next one: objects, wildcards and tags
 * in one program. Needs at least two ranks.
 */
public final class Farm {
    private static final int TASK_TAG = 1;
    private static final int RESULT_TAG = 2;
    private static final int STOP_TAG = 3;
    private static final int TASKS = 20;

    private Farm() {}

    /** A number to be examined. */
    private record Task(long number) implements Serializable {}

    /** Its smallest factor. */
    private record Result(long number, long factor) implements Serializable {}

    /** Runs one rank. */
    public static void main(String[] arguments) {
        MPI.Init(arguments);
        if (MPI.COMM_WORLD.Size() < 2) {
            System.err.println("The farm needs a master and a worker: run it with -n 2 or more");
        } else if (MPI.COMM_WORLD.Rank() == 0) {
            master(MPI.COMM_WORLD);
        } else {
            worker(MPI.COMM_WORLD);
        }
        MPI.Finalize();
    }

    private static void master(Intracomm world) {
        long next = 1_000_000_007L * 900_000_000L + 1;
        int handedOut = 0;
        int working = 0;
        for (int worker = 1; worker < world.Size() && handedOut < TASKS; worker++, handedOut++, working++) {
            give(world, worker, next + handedOut);
        }
        Object[] result = new Object[1];
        while (working > 0) {
            Status status = world.Recv(result, 0, 1, MPI.OBJECT, MPI.ANY_SOURCE, RESULT_TAG);
            Result found = (Result) result[0];
            System.out.println(found.number() + " is divisible by " + found.factor());
            if (handedOut < TASKS) {
                give(world, status.source, next + handedOut++);
            } else {
                working--;
            }
        }
        for (int worker = 1; worker < world.Size(); worker++) {
            world.Send(new Object[] {null}, 0, 1, MPI.OBJECT, worker, STOP_TAG);
        }
    }

    private static void give(Intracomm world, int worker, long number) {
        world.Send(new Object[] {new Task(number)}, 0, 1, MPI.OBJECT, worker, TASK_TAG);
    }

    private static void worker(Intracomm world) {
        Object[] task = new Object[1];
        while (world.Recv(task, 0, 1, MPI.OBJECT, 0, MPI.ANY_TAG).tag == TASK_TAG) {
            long number = ((Task) task[0]).number();
            Result result = new Result(number, smallestFactor(number));
            world.Send(new Object[] {result}, 0, 1, MPI.OBJECT, 0, RESULT_TAG);
        }
    }

    private static long smallestFactor(long number) {
        for (long factor = 2; factor * factor <= number && factor < 10_000_000; factor++) {
            if (number % factor == 0) {
                return factor;
            }
        }
        return number;
    }
}
