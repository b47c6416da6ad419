package mpi;

import org.galerna.device.ErrorClass;
import org.galerna.mpi.datatype.Layout;

/** Items side by side; see {@link Datatype#Contiguous}. */
public class Contiguous extends Datatype {
    private final boolean predefined;

    Contiguous(int count, Datatype oldtype) {
        super(oldtype.baseType, layout(count, oldtype));
        this.predefined = false;
    }

    /** A predefined pair. */
    Contiguous(Datatype element, String name) {
        super(element.baseType, "MPI." + name, layout(2, element), true);
        this.predefined = true;
    }

    private static Layout layout(int count, Datatype oldtype) {
        if (count < 0) {
            throw Errors.wrong(ErrorClass.COUNT, "count must not be negative, it is " + count);
        }
        oldtype.element();
        return oldtype.layout.contiguous(count);
    }

    /** As {@link Datatype#free}; the predefined pairs stay as they are. */
    @Override
    public void free() {
        if (!predefined) {
            super.free();
        }
    }
}
