package mpi;

import org.galerna.device.ErrorClass;
import org.galerna.mpi.datatype.ElementType;
import org.galerna.mpi.request.Statuses;
import org.jspecify.annotations.Nullable;

/** What is known of a message that has been received or found, or of a request that has completed. */
public class Status extends mpjdev.Status implements Freeable {
    private static final int NOT_OBJECTS = -1;

    /** How the engine makes statuses. */
    static final Statuses<Status> KINDS = new Kinds();

    private long bytes;
    private int objects = NOT_OBJECTS;
    private boolean cancelled;

    /** The empty status: any source, any tag, no elements. */
    public Status() {
        super(Constants.ANY_SOURCE, Constants.ANY_TAG, 0);
    }

    /** A copy of an envelope. */
    public Status(mpjdev.Status status) {
        super(status.source, status.tag, status.index);
        if (status instanceof Status other) {
            bytes = other.bytes;
            objects = other.objects;
            cancelled = other.cancelled;
        }
    }

    Status(int source, int tag, long bytes) {
        super(source, tag, 0);
        this.bytes = bytes;
    }

    private Status at(int requestIndex) {
        this.index = requestIndex;
        return this;
    }

    /**
     * Number of items of {@code datatype} in the message.
     *
     * @return {@link MPI#UNDEFINED} if the message is not a whole number of items, or one of objects counted as
     *     something else, or the reverse
     */
    public int Get_count(Datatype datatype) throws MPIException {
        requireDatatype(datatype, "Status.Get_count");
        return quotient(datatype, datatype.itemBytes, datatype.inside.layout().size());
    }

    /** Number of elements of the base type of {@code datatype} in the message; as {@link #Get_count} otherwise. */
    public int Get_elements(Datatype datatype) throws MPIException {
        requireDatatype(datatype, "Status.Get_elements");
        return quotient(datatype, datatype.elementBytes, 1);
    }

    private static void requireDatatype(@Nullable Datatype datatype, String call) {
        if (datatype == null) {
            throw Errors.failed(call, Errors.wrong(ErrorClass.TYPE, "the datatype is null"));
        }
    }

    private int quotient(Datatype datatype, int unitBytes, int unitObjects) {
        boolean ofObjects = datatype.inside.layout().element() == ElementType.OBJECT;
        long amount = objects == NOT_OBJECTS ? bytes : objects;
        if (amount == 0) {
            return 0;
        }
        long unit = ofObjects ? unitObjects : unitBytes;
        if (ofObjects != (objects != NOT_OBJECTS)
                || unit == 0
                || amount % unit != 0
                || amount / unit > Integer.MAX_VALUE) {
            return Constants.UNDEFINED;
        }
        return (int) (amount / unit);
    }

    /** True if the request was cancelled before it took place. */
    public boolean Test_cancelled() throws MPIException {
        return cancelled;
    }

    /** Does nothing, and being empty costs nothing: the virtual machine registers no finalizer for an empty method. */
    @Override
    @SuppressWarnings({"removal", "deprecation", "Finalize"})
    public void finalize() throws MPIException {}

    /** Does nothing: a status holds nothing. */
    @Override
    public void free() {}

    private static final class Kinds implements Statuses<Status> {
        @Override
        public Status empty() {
            return new Status();
        }

        @Override
        public Status ofMessage(int source, int tag, long bytes) {
            return new Status(source, tag, bytes);
        }

        @Override
        public Status ofObjects(int source, int tag, int objects) {
            Status status = new Status(source, tag, 0L);
            status.objects = objects;
            return status;
        }

        @Override
        public Status ofCancelled() {
            Status status = new Status();
            status.cancelled = true;
            return status;
        }

        @Override
        public Status at(Status status, int index) {
            return status.at(index);
        }

        @Override
        public Status[] array(int length) {
            return new Status[length];
        }

        @Override
        public RuntimeException failed(String call, RuntimeException failure) {
            return Errors.failed(call, failure);
        }
    }
}
