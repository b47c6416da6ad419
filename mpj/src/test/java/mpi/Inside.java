package mpi;

import org.galerna.device.Device;
import org.galerna.mpi.datatype.ElementType;
import org.galerna.mpi.datatype.Layout;
import org.galerna.mpi.session.Session;

/** What tests see of the inside of the package. Ranks share it as they share the package, and unlike the tests. */
public final class Inside {
    private Inside() {}

    /** Elements of the arrays that a datatype is for. */
    public static ElementType element(Datatype type) {
        return type.inside.element();
    }

    /** Which elements a datatype consists of. */
    public static Layout layout(Datatype type) {
        return type.inside.layout();
    }

    /** Context of the messages between two ranks. */
    public static int context(Comm comm) {
        return comm.inside.contexts() + Session.MESSAGES;
    }

    /** The device below a communicator. */
    public static Device device(Comm comm) {
        return comm.inside.device();
    }

    /** Whether no second part of a message of objects waits on this rank. */
    public static boolean hasNoSecondParts(Comm comm) {
        return comm.inside.device().isIdle(comm.inside.restContext());
    }

    /** {@link Comm#send}, which is for subclasses. */
    public static void send(
            Comm comm, Object buf, int offset, int count, Datatype type, int dest, int tag, boolean pt2pt) {
        comm.send(buf, offset, count, type, dest, tag, pt2pt);
    }

    /** {@link Comm#recv}, which is for subclasses. */
    public static Status receive(
            Comm comm, Object buf, int offset, int count, Datatype type, int source, int tag, boolean pt2pt) {
        return comm.recv(buf, offset, count, type, source, tag, pt2pt);
    }
}
