package org.galerna.mpi.request;

import org.galerna.mpi.datatype.ElementType;
import org.galerna.mpi.datatype.Staging;

/** A send of items with gaps, or of booleans, out of an array that the next message may have when this one has left. */
public final class PackedSend extends Stage {
    private final Staging staging;
    private final ElementType element;
    private final Object packed;

    /** A send that is under way. */
    public PackedSend(Staging staging, ElementType element, Object packed) {
        this.staging = staging;
        this.element = element;
        this.packed = packed;
    }

    @Override
    public Result finish() {
        staging.give(element, packed);
        return Result.NOTHING;
    }
}
