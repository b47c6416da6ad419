package org.galerna.collectives.algorithm;

import java.util.Arrays;
import java.util.stream.Collectors;

/** The collective operations, with the names they have in options and in tables of decisions. */
public enum Operation {
    BARRIER("barrier", "Barrier"),
    BCAST("bcast", "Bcast"),
    GATHER("gather", "Gather"),
    GATHERV("gatherv", "Gatherv"),
    SCATTER("scatter", "Scatter"),
    SCATTERV("scatterv", "Scatterv"),
    ALLGATHER("allgather", "Allgather"),
    ALLGATHERV("allgatherv", "Allgatherv"),
    ALLTOALL("alltoall", "Alltoall"),
    ALLTOALLV("alltoallv", "Alltoallv"),
    REDUCE("reduce", "Reduce"),
    ALLREDUCE("allreduce", "Allreduce"),
    REDUCE_SCATTER("reduceScatter", "Reduce_scatter"),
    SCAN("scan", "Scan"),
    EXSCAN("exscan", "Exscan");

    private static final Operation[] ALL = values();

    private final String label;
    private final String call;

    Operation(String label, String call) {
        this.label = label;
        this.call = call;
    }

    /** Name in options and tables, e.g. {@code "reduceScatter"}. */
    public String label() {
        return label;
    }

    /**
     * The operation with the given label.
     *
     * @throws IllegalArgumentException if there is none; the message lists them
     */
    public static Operation labelled(String label) {
        for (Operation operation : values()) {
            if (operation.label.equals(label)) {
                return operation;
            }
        }
        throw new IllegalArgumentException("no collective operation named \"" + label + "\"; there are "
                + Arrays.stream(values()).map(Operation::label).collect(Collectors.joining(", ")));
    }

    /** Name as programs call it, e.g. {@code "Reduce_scatter"}. */
    public String call() {
        return call;
    }

    /** Number of the operation. */
    @SuppressWarnings("EnumOrdinal") // any number will do that no other operation of the same job has
    public int number() {
        return ordinal();
    }

    /** Name as programs call it of the operation with that number. */
    public static String callOf(int number) {
        return number >= 0 && number < ALL.length ? ALL[number].call : "an unknown collective";
    }

    @Override
    public String toString() {
        return label;
    }
}
