package mpi;

import org.galerna.device.ErrorClass;
import org.galerna.mpj.Layout;

/** Items side by side; see {@link Datatype#Contiguous}. */
public class Contiguous extends Datatype {
    Contiguous(int count, Datatype oldtype) {
        super(oldtype.baseType, layout(count, oldtype));
    }

    private static Layout layout(int count, Datatype oldtype) {
        if (count < 0) {
            throw Errors.wrong(ErrorClass.COUNT, "count must not be negative, it is " + count);
        }
        oldtype.element();
        return oldtype.layout.contiguous(count);
    }
}
