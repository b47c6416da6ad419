package mpi;

import org.galerna.device.Device;
import org.galerna.device.ErrorClass;
import org.galerna.memory.Buffers;
import org.galerna.mpi.datatype.ElementType;
import org.galerna.mpi.datatype.Packing;
import org.galerna.mpi.request.PackedReceive;
import org.jspecify.annotations.Nullable;

/**
 * A communication that can be started again and again with the same arguments. Between completion and the next start it
 * is inactive. What it needs for items with gaps it keeps, so that starting and completing it allocates no memory but
 * for the status (objects and buffered sends apart).
 */
public class Prequest extends Request {
    private final int mode;
    private final Object buffer;
    private final int offset;
    private final int count;
    private final Datatype datatype;
    private final int peer;
    private final int tag;

    /** The datatype may be freed meanwhile, which does not concern this request. */
    private final ElementType element;

    /** Whether the items are sent and received as they lie in the buffer. */
    private final boolean isBlock;

    // made at the first start
    private @Nullable Object memory;
    private long start;
    private long length;

    /** Where the items are on the way, if not in the buffer. */
    private @Nullable Object packed;

    private @Nullable PackedReceive unpacking;
    private boolean freed;

    Prequest(Comm comm, int mode, Object buffer, int offset, int count, Datatype datatype, int peer, int tag) {
        super(comm, null, mode == PointToPoint.RECEIVE);
        this.mode = mode;
        this.buffer = buffer;
        this.offset = offset;
        this.count = count;
        this.datatype = datatype;
        this.peer = peer;
        this.tag = tag;
        this.element = elementOf(datatype);
        this.isBlock = datatype != null && datatype.isBlock(count);
    }

    /** Type of the elements; of no meaning where nothing is sent, and any datatype may have been given. */
    private static ElementType elementOf(@Nullable Datatype datatype) {
        ElementType element = datatype == null ? null : datatype.layout.element();
        return element == null ? ElementType.BYTE : element;
    }

    /**
     * Starts the communication.
     *
     * @throws MPIException if it is active already, has been given up, or cannot be started
     */
    public void Start() throws MPIException {
        if (isActive()) {
            throw Errors.failed(comm, "Prequest.Start", inactiveNeeded());
        }
        if (freed) {
            throw Errors.failed(
                    comm, "Prequest.Start", Errors.wrong(ErrorClass.REQUEST, "the persistent request has been freed"));
        }
        if (peer == Constants.PROC_NULL || mode == PointToPoint.BUFFERED || datatype.isObject()) {
            Request started = mode == PointToPoint.RECEIVE
                    ? PointToPoint.irecv(comm, buffer, offset, count, datatype, peer, tag, true)
                    : PointToPoint.isend(comm, mode, buffer, offset, count, datatype, peer, tag, true);
            operation = started.operation;
            stage = started.stage;
            return;
        }
        try {
            comm.checkUsable();
            if (mode == PointToPoint.RECEIVE) {
                startReceive();
            } else {
                startSend();
            }
        } catch (RuntimeException failure) {
            throw PointToPoint.startFailed(comm, mode, failure, buffer, offset, count, datatype, peer, tag);
        }
    }

    private void startSend() {
        Object outgoing = memory();
        if (packed != null) {
            Packing.pack(datatype.layout, element, buffer, offset, count, packed, 0);
        }
        operation =
                PointToPoint.begin(comm, mode, outgoing, start, length, comm.jobRank(peer), tag, comm.context(true));
    }

    private void startReceive() {
        Object incoming = memory();
        int wanted = tag == Constants.ANY_TAG ? Device.ANY_TAG : tag;
        operation = comm.device.irecv(incoming, start, length, comm.jobSource(peer), wanted, comm.context(true));
        stage = unpacking;
    }

    /** Where the device finds or puts the items: the program's array, or one that they are packed into. */
    private Object memory() {
        Object known = memory;
        return known != null ? known : prepare();
    }

    private Object prepare() {
        Object array = buffer;
        length = (long) count * datatype.itemBytes;
        if (isBlock) {
            start = datatype.startOf(offset);
        } else {
            array = Packing.allocate(datatype.layout, element, count);
            packed = array;
            start = 0;
            unpacking = receive ? new PackedReceive(datatype.inside, array, buffer, offset, count, null) : null;
        }
        int other = comm.jobSource(peer);
        if (length > comm.device.eagerLimit(other == Device.ANY_SOURCE ? comm.device.rank() : other)) {
            array = Buffers.segment(array, start, length); // what the device would make of it every time
            start = 0;
        }
        memory = array;
        return array;
    }

    /**
     * Starts all communications.
     *
     * @throws MPIException if one cannot be started; those before it have been
     */
    public static void Startall(Prequest[] requests) throws MPIException {
        for (Prequest request : requests) {
            request.Start();
        }
    }

    /** True if the request has been given up; an inactive one is not null. */
    @Override
    public boolean Is_null() throws MPIException {
        return freed;
    }

    /** Gives the request up; a communication under way goes on. */
    @Override
    public void Free() throws MPIException {
        super.Free();
        freed = true;
    }
}
