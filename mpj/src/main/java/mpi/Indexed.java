package mpi;

import org.galerna.device.ErrorClass;
import org.galerna.mpi.datatype.Layout;

/** Blocks anywhere; see {@link Datatype#Indexed} and {@link Datatype#Hindexed}. */
public class Indexed extends Datatype {
    /**
     * An indexed type.
     *
     * @param inExtents whether displacements are in extents of {@code oldtype}, or else in elements
     * @throws MPIException if the arrays differ in length or a length is negative
     */
    public Indexed(int[] lengths, int[] displacements, Datatype oldtype, boolean inExtents) throws MPIException {
        super(baseTypeOf(oldtype), layout(lengths, displacements, oldtype, inExtents));
    }

    private static Layout layout(int[] lengths, int[] displacements, Datatype oldtype, boolean inExtents) {
        try {
            checkBlocks(lengths, displacements);
            Datatype.checked(oldtype).element();
            return oldtype.layout.indexed(lengths, inElements(displacements, inExtents ? oldtype.layout.extent() : 1));
        } catch (RuntimeException failure) {
            throw Errors.failed("Datatype.Indexed", failure);
        }
    }

    static void checkBlocks(int[] lengths, int[] displacements) {
        if (lengths.length != displacements.length) {
            throw Errors.wrong(
                    ErrorClass.ARG,
                    "there are " + lengths.length + " block lengths but " + displacements.length + " displacements");
        }
        for (int block = 0; block < lengths.length; block++) {
            if (lengths[block] < 0) {
                throw Errors.wrong(
                        ErrorClass.COUNT, "the length of block " + block + " is negative: " + lengths[block]);
            }
        }
    }

    static long[] inElements(int[] displacements, int unit) {
        long[] elements = new long[displacements.length];
        for (int block = 0; block < elements.length; block++) {
            elements[block] = (long) displacements[block] * unit;
        }
        return elements;
    }
}
