package org.galerna.secondface;

import org.galerna.mpi.datatype.DerivedTypes;
import org.galerna.mpi.datatype.ElementType;
import org.galerna.mpi.datatype.Layout;

/** What the items of a message are. */
final class Datatype {
    static final Datatype INT = basic("MPI_INT", ElementType.INT);
    static final Datatype DOUBLE = basic("MPI_DOUBLE", ElementType.DOUBLE);
    static final Datatype OBJECT = basic("MPI_OBJECT", ElementType.OBJECT);

    final org.galerna.mpi.datatype.Datatype inside;

    private Datatype(org.galerna.mpi.datatype.Datatype inside) {
        this.inside = inside;
    }

    private static Datatype basic(String name, ElementType element) {
        return new Datatype(new org.galerna.mpi.datatype.Datatype("basic", name, Layout.of(element), false));
    }

    static Datatype createVector(int count, int blockLength, int stride, Datatype old) throws MpiException {
        try {
            return new Datatype(DerivedTypes.vector(count, blockLength, stride, old.inside, true));
        } catch (RuntimeException failure) {
            throw MpiException.raise("createVector", failure);
        }
    }

    int getSize() {
        return inside.itemBytes();
    }

    void free() {
        inside.free();
    }
}
