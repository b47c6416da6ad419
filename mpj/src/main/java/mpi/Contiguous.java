package mpi;

import org.galerna.device.ErrorClass;
import org.galerna.mpi.datatype.Layout;
import org.jspecify.annotations.Nullable;

/** Items side by side; see {@link Datatype#Contiguous}. */
public class Contiguous extends Datatype {
    private final @Nullable String name;

    Contiguous(int count, Datatype oldtype) {
        super(oldtype.baseType, layout(count, oldtype));
        this.name = null;
    }

    /** A predefined pair. */
    Contiguous(Datatype element, String name) {
        super(element.baseType, layout(2, element));
        this.name = name;
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
        if (name == null) {
            super.free();
        }
    }

    @Override
    public String toString() {
        return name == null ? super.toString() : "MPI." + name;
    }
}
