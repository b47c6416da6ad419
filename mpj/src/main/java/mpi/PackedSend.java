package mpi;

import org.galerna.mpi.datatype.ElementType;
import org.galerna.mpi.datatype.Staging;

/** A send of items with gaps, or of booleans, out of an array that the next message may have when this one has left. */
final class PackedSend extends Stage {
    private final Staging staging;
    private final ElementType element;
    private final Object packed;

    PackedSend(Staging staging, ElementType element, Object packed) {
        this.staging = staging;
        this.element = element;
        this.packed = packed;
    }

    @Override
    Status finish(Comm comm) {
        staging.give(element, packed);
        return new Status();
    }
}
