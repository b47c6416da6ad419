package mpi;

import org.galerna.mpi.datatype.DerivedTypes;

/** Blocks at a fixed distance; see {@link Datatype#Vector} and {@link Datatype#Hvector}. */
public class Vector extends Datatype {
    /**
     * A vector.
     *
     * @param strideInExtents whether {@code stride} is in extents of {@code oldtype}, or else in elements
     * @throws MPIException if a number is negative
     */
    public Vector(int count, int blocklength, int stride, Datatype oldtype, boolean strideInExtents)
            throws MPIException {
        super(
                baseTypeOf(oldtype),
                Errors.call(
                        "Datatype.Vector(" + count + ", " + blocklength + ", " + stride + ")",
                        () -> DerivedTypes.vector(count, blocklength, stride, inside(oldtype), strideInExtents)));
    }
}
