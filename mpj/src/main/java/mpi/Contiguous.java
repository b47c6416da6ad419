package mpi;

import org.galerna.mpi.datatype.DerivedTypes;

/** Items side by side; see {@link Datatype#Contiguous}. */
public class Contiguous extends Datatype {
    private final boolean predefined;

    Contiguous(int count, Datatype oldtype) {
        super(
                baseTypeOf(oldtype),
                Errors.call(
                        "Datatype.Contiguous(" + count + ")", () -> DerivedTypes.contiguous(count, inside(oldtype))));
        this.predefined = false;
    }

    /** A predefined pair. */
    Contiguous(Datatype element, String name) {
        super(element.baseType, DerivedTypes.pair("MPI." + name, element.inside));
        this.predefined = true;
    }

    /** As {@link Datatype#free}; the predefined pairs stay as they are. */
    @Override
    public void free() {
        if (!predefined) {
            super.free();
        }
    }
}
