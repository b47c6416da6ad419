package mpjdev;

import mpjbuf.Buffer;
import org.galerna.device.Device;
import org.galerna.device.support.Compensation;
import org.galerna.mpi.object.ObjectChannel;
import org.galerna.mpi.object.ObjectReceive;
import org.galerna.mpi.request.PointToPoint;
import org.galerna.mpi.session.Session;
import org.jspecify.annotations.Nullable;

/**
 * Messages of {@link Buffer}s on one communicator. As the receiver's buffer may be smaller than what comes, and grow, they
 * travel as objects do, in one part or two; see {@link ObjectChannel}.
 */
final class Messages {
    private final Session session;
    private final Comm comm;

    /** Messages of a communicator. */
    Messages(Session session, Comm comm) {
        this.session = session;
        this.comm = comm;
    }

    private int context(boolean pointToPoint) {
        return comm.sendctxt + (pointToPoint ? Session.MESSAGES : Session.COLLECTIVES_OF_PROGRAMS);
    }

    private int rest() {
        return comm.sendctxt + Session.SECOND_PARTS;
    }

    private int source(int rank) {
        return rank == PointToPoint.ANY_SOURCE ? Device.ANY_SOURCE : comm.group.member(rank);
    }

    private static int tag(int tag) {
        return tag == PointToPoint.ANY_TAG ? Device.ANY_TAG : tag;
    }

    void send(Buffer buffer, int destination, int tag, boolean pointToPoint, boolean synchronous) {
        ObjectChannel.Message message = session.objects().wrap(buffer.contents());
        int target = comm.group.member(destination);
        session.objects().send(message, synchronous, target, tag, context(pointToPoint), rest());
    }

    Request isend(Buffer buffer, int destination, int tag, boolean pointToPoint, boolean synchronous) {
        ObjectChannel.Message message = session.objects().wrap(buffer.contents());
        int target = comm.group.member(destination);
        return new Request(session.objects()
                .start(message, synchronous, target, tag, context(pointToPoint), rest())
                .first());
    }

    Request irecv(Buffer buffer, int source, int tag, boolean pointToPoint) {
        ObjectReceive message = session.objects().receive(source(source), tag(tag), context(pointToPoint), rest());
        return new BufferReceive(message, buffer, comm.group);
    }

    Status probe(int source, int tag) {
        return status(session.device().probe(source(source), tag(tag), context(true)));
    }

    @Nullable
    Status iprobe(int source, int tag) {
        org.galerna.device.Status found = session.device().iprobe(source(source), tag(tag), context(true));
        return Compensation.polled(found == null ? null : status(found));
    }

    private Status status(org.galerna.device.Status found) {
        return new Status(comm.group.rankOf(found.source()), found.tag(), 0);
    }
}
