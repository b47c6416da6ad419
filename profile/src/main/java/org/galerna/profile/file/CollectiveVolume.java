package org.galerna.profile.file;

import org.galerna.profile.CallKind;

/**
 * How many bytes a rank gives to a collective operation and gets from it, by the arguments of its call, whatever way they take. What the
 * root has in its own buffer counts, too.
 */
public record CollectiveVolume(long given, long gotten) {
    /**
     * Of one call.
     *
     * @param call name of the method
     * @param ranks of the communicator
     * @param isRoot whether the operation is about the data of this rank
     * @param given bytes of one item of what the rank gives, as {@link RankFile.Call#given}
     * @param gotten of what it gets, likewise
     */
    public static CollectiveVolume of(String call, long ranks, boolean isRoot, long given, long gotten) {
        return switch (CallKind.operation(call)) {
            case "Bcast" -> isRoot ? new CollectiveVolume(given, 0) : new CollectiveVolume(0, gotten);
            case "Gather" -> new CollectiveVolume(given, isRoot ? ranks * gotten : 0);
            case "Gatherv", "Reduce" -> new CollectiveVolume(given, isRoot ? gotten : 0);
            case "Scatter" -> new CollectiveVolume(isRoot ? ranks * given : 0, gotten);
            case "Scatterv" -> new CollectiveVolume(isRoot ? given : 0, gotten);
            case "Allgather" -> new CollectiveVolume(given, ranks * gotten);
            case "Alltoall" -> new CollectiveVolume(ranks * given, ranks * gotten);
            default -> new CollectiveVolume(given, gotten);
        };
    }
}
