package mpi;

import org.galerna.mpi.datatype.DerivedTypes;

/** Blocks anywhere; see {@link Datatype#Indexed} and {@link Datatype#Hindexed}. */
public class Indexed extends Datatype {
    /**
     * An indexed type.
     *
     * @param inExtents whether displacements are in extents of {@code oldtype}, or else in elements
     * @throws MPIException if the arrays differ in length or a length is negative
     */
    public Indexed(int[] lengths, int[] displacements, Datatype oldtype, boolean inExtents) throws MPIException {
        super(
                baseTypeOf(oldtype),
                Errors.call(
                        "Datatype.Indexed",
                        () -> DerivedTypes.indexed(lengths, displacements, inside(oldtype), inExtents)));
    }
}
