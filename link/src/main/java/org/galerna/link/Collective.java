package org.galerna.link;

import java.util.List;

/**
 * A collective operation that a rank takes part in, so that reports can compare what the ranks of a communicator call.
 *
 * @param communicator a number of the communicator that no other one of the job has
 * @param number which of the collectives of this rank on the communicator it is; all ranks count alike
 * @param name the call, e.g. {@code "Bcast"}
 * @param root rank of the root, or {@link #NONE}
 * @param bytes how much data it is about, as all ranks count it, or {@link #NONE} if they need not agree
 * @param earlier the last ones before it on the communicator, as far as they are known
 */
public record Collective(int communicator, long number, String name, int root, long bytes, List<Collective> earlier) {
    /** No root, or no number of bytes that ranks have to agree about. */
    public static final int NONE = -1;

    /** A collective with the list copied. */
    public Collective {
        earlier = List.copyOf(earlier);
    }

    /** A collective before which nothing is known. */
    public Collective(int communicator, long number, String name, int root, long bytes) {
        this(communicator, number, name, root, bytes, List.of());
    }

    /** The call with what all ranks have to agree about, e.g. {@code "Bcast, root 0, 800 bytes"}. */
    public String describe() {
        return name + (root == NONE ? "" : ", root " + root) + (bytes == NONE ? "" : ", " + bytes + " bytes");
    }
}
