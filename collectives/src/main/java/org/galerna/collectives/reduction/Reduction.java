package org.galerna.collectives.reduction;

/**
 * An associative operation on vectors of elements. What an element is (a number, a pair, a derived datatype of a user
 * function) is known to the implementation alone; collectives count elements and multiply by {@link #elementSize}.
 *
 * <p>Implementations are called by every rank of a JVM at the same time and must be free of shared mutable state.
 */
public interface Reduction {
    /**
     * For each element, {@code inOut = in (op) inOut}: the left operand comes from {@code in}, as MPI's user functions
     * have it. The two ranges do not overlap.
     *
     * @param in left operands, unchanged
     * @param inOffset byte offset of the first one in {@code in}
     * @param inOut right operands, replaced by the results
     * @param inOutOffset byte offset of the first one in {@code inOut}
     * @param count number of elements, at least 0
     */
    void apply(Object in, long inOffset, Object inOut, long inOutOffset, int count);

    /** Size of an element in bytes, at least 1. */
    int elementSize();

    /** True if the order of the operands does not matter; operations that say false are applied in rank order. */
    boolean commutative();

    /**
     * New memory for {@code count} elements, starting at byte offset 0: a primitive array or a memory segment that a
     * device can receive into and that {@link #apply} takes on either side.
     */
    Object allocate(int count);

    /**
     * Class that tells memory of one {@link #allocate} from that of another: what one reduction has allocated serves
     * another with the same class, e.g. {@code double[].class}.
     */
    Class<?> memoryType();
}
