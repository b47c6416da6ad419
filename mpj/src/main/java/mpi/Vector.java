package mpi;

import org.galerna.device.ErrorClass;
import org.galerna.mpi.datatype.Layout;

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
        super(baseTypeOf(oldtype), layout(count, blocklength, stride, oldtype, strideInExtents));
    }

    private static Layout layout(int count, int blocklength, int stride, Datatype oldtype, boolean strideInExtents) {
        try {
            if (count < 0 || blocklength < 0) {
                throw Errors.wrong(ErrorClass.COUNT, "count and block length must not be negative");
            }
            Datatype.checked(oldtype).element();
            long distance = strideInExtents ? (long) stride * oldtype.layout.extent() : stride;
            return oldtype.layout.vector(count, blocklength, distance);
        } catch (RuntimeException failure) {
            throw Errors.failed("Datatype.Vector(" + count + ", " + blocklength + ", " + stride + ")", failure);
        }
    }
}
