package mpjdev;

import mpjbuf.Buffer;
import org.galerna.mpi.comm.Communicator;
import org.galerna.mpi.session.Session;
import org.jspecify.annotations.Nullable;

/**
 * What a communicator is to the device: the ranks it reaches and the contexts of its messages; and a way to send and
 * receive {@link Buffer}s, which meet no other messages of {@code mpi}'s than each other, as long as the program keeps
 * them apart by tags. With {@code pt2pt} false, messages travel in a context of their own. Ranks and tags are those of
 * {@code mpi}, {@code MPI.ANY_SOURCE} and {@code MPI.ANY_TAG} too.
 *
 * <p>Every operation throws {@link org.galerna.device.DeviceException} if communication fails, and
 * {@link IllegalStateException} if the communicator is not connected: it is {@code mpi} that makes communicators.
 */
public final class Comm {
    /** Context of messages that are sent. */
    public final int sendctxt;

    /** Context of messages that are received. */
    public final int recvctxt;

    /** Context of collective operations. */
    public final int collctxt;

    /** Ranks that messages go to: those of the remote group of an intercommunicator, otherwise all. */
    public final Group group;

    /** Ranks that this one belongs to. */
    public final Group localgroup;

    private @Nullable Messages messages;
    private Runnable barrier = () -> {};

    /**
     * A communicator.
     *
     * @param context first of the contexts that belong to it
     */
    public Comm(int context, Group localgroup, Group group) {
        this.sendctxt = context;
        this.recvctxt = context;
        this.collctxt = context + 1;
        this.group = group;
        this.localgroup = localgroup;
    }

    /** What a communicator of the engine is to the device; for {@code mpi}. */
    public static Comm of(Communicator inside) {
        Group local = new Group(inside.local());
        return new Comm(
                inside.contexts(), local, inside.local() == inside.remote() ? local : new Group(inside.remote()));
    }

    /** Connects the communicator with the job; for {@code mpi}. */
    public void connect(Session session, Runnable barrier) {
        this.messages = new Messages(session, this);
        this.barrier = barrier;
    }

    private Messages messages() {
        Messages present = messages;
        if (present == null) {
            throw new IllegalStateException("the communicator belongs to no job");
        }
        return present;
    }

    /** Sends what is in a buffer; returns when the buffer may be changed. */
    public void send(Buffer buf, int dest, int tag, boolean pt2pt) {
        messages().send(buf, dest, tag, pt2pt, false);
    }

    /** As {@link #send}; returns when the receive has begun. */
    public void ssend(Buffer buf, int dest, int tag, boolean pt2pt) {
        messages().send(buf, dest, tag, pt2pt, true);
    }

    /** Starts to send what is in a buffer, which may be changed at once. */
    public Request isend(Buffer buf, int dest, int tag, boolean pt2pt) {
        return messages().isend(buf, dest, tag, pt2pt, false);
    }

    /** As {@link #isend}; done when the receive has begun. */
    public Request issend(Buffer buf, int dest, int tag, boolean pt2pt) {
        return messages().isend(buf, dest, tag, pt2pt, true);
    }

    /** Receives into a buffer, which grows if it has to; to be committed before it is read. */
    public Status recv(Buffer buf, int src, int tag, boolean pt2pt) {
        return irecv(buf, src, tag, pt2pt).iwait();
    }

    /** Starts a {@link #recv}. */
    public Request irecv(Buffer buf, int src, int tag, boolean pt2pt) {
        return messages().irecv(buf, src, tag, pt2pt);
    }

    /** Waits for a message, and leaves it there. */
    public Status probe(int src, int tag) {
        return messages().probe(src, tag);
    }

    /** As {@link #probe} if there is one; null if not. */
    public @Nullable Status iprobe(int src, int tag) {
        return messages().iprobe(src, tag);
    }

    /** Waits until all ranks have called it. */
    public void barrier() {
        messages();
        barrier.run();
    }

    /** Number of ranks in the local group. */
    public int size() {
        return localgroup.size();
    }

    /** This rank in the local group. */
    public int id() {
        return localgroup.rank();
    }
}
