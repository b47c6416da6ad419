package org.galerna.link;

import java.util.List;

/**
 * A collective operation that a rank takes part in, so that reports can compare what the ranks of a communicator call.
 *
 * @param communicator a number of the communicator that no other one of the job has
 * @param number which of the collectives of this rank on the communicator it is, whether they block or not; all ranks
 *     count alike
 * @param name the call, e.g. {@code "Bcast"}
 * @param root rank of the root, or {@link #NONE}
 * @param bytes how much data it is about, as all ranks count it, or {@link #NONE} if they need not agree
 * @param others the last other ones that the rank has called on the communicator, as far as they are known
 */
public record Collective(int communicator, long number, String name, int root, long bytes, List<Collective> others) {
    /** No root, or no number of bytes that ranks have to agree about. */
    public static final int NONE = -1;

    /** A collective with the list copied. */
    public Collective {
        others = List.copyOf(others);
    }

    /** A collective beside which nothing is known. */
    public Collective(int communicator, long number, String name, int root, long bytes) {
        this(communicator, number, name, root, bytes, List.of());
    }

    /** The call with what all ranks have to agree about, e.g. {@code "Bcast, root 0, 800 bytes"}. */
    public String describe() {
        StringBuilder text = new StringBuilder(name); // each rank that waits makes it
        if (root != NONE) {
            text.append(", root ").append(root);
        }
        if (bytes != NONE) {
            text.append(", ").append(bytes).append(" bytes");
        }
        return text.toString();
    }

    /** The same, of which the last calls of its rank are known; it may be one of them. */
    public Collective among(List<Collective> calls) {
        List<Collective> known =
                calls.stream().filter(each -> each.number != number).toList();
        return new Collective(communicator, number, name, root, bytes, known);
    }

    /** The call with what it differs in from another one, e.g. {@code "Bcast with root 0"}. */
    public String against(Collective other) {
        if (!name.equals(other.name)) {
            return name;
        }
        return root == other.root ? name + " of " + bytes + " bytes" : name + " with root " + root;
    }

    /** What ranks have to do that have called this and another one as the same collective; the end of a sentence. */
    public String rule(Collective other) {
        if (isTwinOf(other)) {
            return "one of them blocks and the other does not, so all ranks have to call the same one";
        }
        if (!name.equals(other.name)) {
            return "all ranks of a communicator have to call the same collectives in the same order";
        }
        return root == other.root
                ? "all ranks have to call it with matching counts"
                : "all ranks have to call it with the same root";
    }

    /** Whether they are the same operation, once as a call that blocks and once as one that does not. */
    private boolean isTwinOf(Collective other) {
        return name.equalsIgnoreCase("I" + other.name) || other.name.equalsIgnoreCase("I" + name);
    }
}
