package org.galerna.collectives.algorithm;

import java.util.Arrays;
import java.util.stream.Collectors;

/** The collective operations, with the names they have in options and in tables of decisions. */
public enum Operation {
    BARRIER("barrier"),
    BCAST("bcast"),
    GATHER("gather"),
    GATHERV("gatherv"),
    SCATTER("scatter"),
    SCATTERV("scatterv"),
    ALLGATHER("allgather"),
    ALLGATHERV("allgatherv"),
    ALLTOALL("alltoall"),
    ALLTOALLV("alltoallv"),
    REDUCE("reduce"),
    ALLREDUCE("allreduce"),
    REDUCE_SCATTER("reduceScatter"),
    SCAN("scan"),
    EXSCAN("exscan");

    private final String label;

    Operation(String label) {
        this.label = label;
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

    /** Tag of the operation's messages. */
    @SuppressWarnings("EnumOrdinal") // any number will do that no other operation of the same job has
    public int tag() {
        return ordinal();
    }

    @Override
    public String toString() {
        return label;
    }
}
