package mpi;

import java.nio.ByteBuffer;
import org.galerna.link.wireup.Host;
import org.galerna.mpi.session.AttachedBuffer;

/**
 * The constants of MPI, and its beginning and end. A rank calls {@link #Init} before it communicates and
 * {@link #Finalize} when it is done; it may do so several times. Ranks that are threads of one virtual machine have a
 * class of this name each, and the others of the package together: this one may therefore use nothing of them that is not
 * public.
 */
public class MPI {
    private static final Environment ENVIRONMENT = Environment.of(MPI.class);

    /** Whether there is code for debugging, which there is not. */
    public static final boolean DEBUG = false;

    /** Number of processors of this machine. */
    public static final int NUM_OF_PROCESSORS = Runtime.getRuntime().availableProcessors();

    /** Has no effect; the collectives choose their algorithms by themselves. */
    public static boolean isOldSelected = false;

    /** What is not defined: a rank, a color, a count, an index. */
    public static final int UNDEFINED = Constants.UNDEFINED;

    /** Source of a receive from any rank. */
    public static final int ANY_SOURCE = Constants.ANY_SOURCE;

    /** Tag of a receive of any tag. */
    public static final int ANY_TAG = Constants.ANY_TAG;

    /** A peer that does not exist: sending to it and receiving from it does nothing. */
    public static final int PROC_NULL = Constants.PROC_NULL;

    /** No datatype. */
    public static final Datatype NULL = Constants.NULL;

    /** A byte. */
    public static final Datatype BYTE = Constants.BYTE;

    /** A char. */
    public static final Datatype CHAR = Constants.CHAR;

    /** A short. */
    public static final Datatype SHORT = Constants.SHORT;

    /** A boolean. */
    public static final Datatype BOOLEAN = Constants.BOOLEAN;

    /** An int. */
    public static final Datatype INT = Constants.INT;

    /** A long. */
    public static final Datatype LONG = Constants.LONG;

    /** A float. */
    public static final Datatype FLOAT = Constants.FLOAT;

    /** A double. */
    public static final Datatype DOUBLE = Constants.DOUBLE;

    /** A byte of packed data; see {@link Comm#Pack(Object, int, int, Datatype, byte[], int)}. */
    public static final Datatype PACKED = Constants.PACKED;

    /** Marks the lower bound of a structure. */
    public static final Datatype LB = Constants.LB;

    /** Marks the upper bound of a structure. */
    public static final Datatype UB = Constants.UB;

    /** An object, which is serialized. */
    public static final Datatype OBJECT = Constants.OBJECT;

    /** A value and a location, both short. */
    public static final Datatype SHORT2 = Constants.SHORT2;

    /** A value and a location, both int. */
    public static final Datatype INT2 = Constants.INT2;

    /** A value and a location, both long. */
    public static final Datatype LONG2 = Constants.LONG2;

    /** A value and a location, both float. */
    public static final Datatype FLOAT2 = Constants.FLOAT2;

    /** A value and a location, both double. */
    public static final Datatype DOUBLE2 = Constants.DOUBLE2;

    /** The greater number. */
    public static final Op MAX = Constants.MAX;

    /** The smaller number. */
    public static final Op MIN = Constants.MIN;

    /** The sum. */
    public static final Op SUM = Constants.SUM;

    /** The product. */
    public static final Op PROD = Constants.PROD;

    /** Logical and. */
    public static final Op LAND = Constants.LAND;

    /** And of each bit. */
    public static final Op BAND = Constants.BAND;

    /** Logical or. */
    public static final Op LOR = Constants.LOR;

    /** Or of each bit. */
    public static final Op BOR = Constants.BOR;

    /** Logical exclusive or. */
    public static final Op LXOR = Constants.LXOR;

    /** Exclusive or of each bit. */
    public static final Op BXOR = Constants.BXOR;

    /** The pair with the greater value and, of equal ones, the smaller location. */
    public static final Op MAXLOC = Constants.MAXLOC;

    /** The pair with the smaller value and, of equal ones, the smaller location. */
    public static final Op MINLOC = Constants.MINLOC;

    /** Level: one thread in the rank. */
    public static final int THREAD_SINGLE = 1;

    /** Level: only the thread that initialized communicates. */
    public static final int THREAD_FUNNELED = 2;

    /** Level: one thread at a time communicates. */
    public static final int THREAD_SERIALIZED = 3;

    /** Level: any thread communicates at any time; what there always is. */
    public static final int THREAD_MULTIPLE = 4;

    /** What {@link Comm#Compare} and {@link Group#Compare} find: the same. */
    public static final int IDENT = mpjdev.Group.IDENT;

    /** What {@link Comm#Compare} finds: the same group, other contexts. */
    public static final int CONGRUENT = mpjdev.Group.CONGRUENT;

    /** What {@link Comm#Compare} and {@link Group#Compare} find: the same ranks in another order. */
    public static final int SIMILAR = mpjdev.Group.SIMILAR;

    /** What {@link Comm#Compare} and {@link Group#Compare} find: something else. */
    public static final int UNEQUAL = mpjdev.Group.UNEQUAL;

    /** What {@link Comm#Topo_test} finds: a graph. */
    public static final int GRAPH = 1;

    /** What {@link Comm#Topo_test} finds: a grid. */
    public static final int CART = 2;

    /** Bytes of the attached buffer that a buffered send takes beyond {@link Comm#Pack_size} at most. */
    public static final int BSEND_OVERHEAD = AttachedBuffer.OVERHEAD_PER_MESSAGE;

    /** As {@link #BSEND_OVERHEAD}. */
    public static final int SEND_OVERHEAD = BSEND_OVERHEAD;

    /** As {@link #BSEND_OVERHEAD}. */
    public static final int RECV_OVERHEAD = BSEND_OVERHEAD;

    /** Key of the attribute with the greatest tag. */
    public static final int TAG_UB = Attributes.TAG_UB;

    /** Key of the attribute with the rank of a host process, {@link #PROC_NULL} since there is none. */
    public static final int HOST = Attributes.HOST;

    /** Key of the attribute with a rank that can do input and output: every rank can. */
    public static final int IO = Attributes.IO;

    /**
     * Key of the attribute that is 1 if the clocks of all ranks agree, or else 0; they do on one host. See
     * {@link #Wtime}.
     */
    public static final int WTIME_IS_GLOBAL = Attributes.WTIME_IS_GLOBAL;

    /** Error handler: errors end the job. */
    public static final Errhandler ERRORS_ARE_FATAL = Constants.ERRORS_ARE_FATAL;

    /** Error handler: errors are raised as {@link MPIException}. */
    public static final Errhandler ERRORS_RETURN = Constants.ERRORS_RETURN;

    /** The group without ranks. */
    public static final Group GROUP_EMPTY = Constants.GROUP_EMPTY;

    /** No group. */
    public static final Group GROUP_NULL = Constants.GROUP_NULL;

    /** No communicator. */
    public static final Comm COMM_NULL = Constants.COMM_NULL;

    /** No request. */
    public static final Request REQUEST_NULL = Constants.REQUEST_NULL;

    /** The status of nothing: any source, any tag, no elements. */
    public static final Status EMPTY_STATUS = new Status();

    /**
     * Instead of a buffer of a collective operation: this rank's items are where those of all ranks are. The root of a
     * gather and every rank of an allgather, an alltoall or a reduction may give it as send buffer, where the operands
     * are in the receive buffer (a root alone decides for itself; otherwise all ranks give it or none); the root of a
     * scatter as receive buffer, to leave its own items where they are. The count and the datatype that go with it are
     * ignored.
     */
    public static final Object IN_PLACE = Constants.IN_PLACE;

    /** The communicator of all ranks, from {@link #Init} to {@link #Finalize}. */
    public static Intracomm COMM_WORLD = ENVIRONMENT.world();

    /** The communicator of this rank alone, from {@link #Init} to {@link #Finalize}. */
    public static Comm COMM_SELF = ENVIRONMENT.self();

    /** There is no use for an object of this class, but programs may create one. */
    public MPI() {}

    /**
     * Joins the job; all ranks have to call it.
     *
     * @param argv arguments of the program
     * @return the arguments, without those that a launcher has put in front of them
     * @throws MPIException if the rank has joined already, or if the job's device cannot be used
     */
    public static String[] Init(String[] argv) throws MPIException {
        String[] own = ENVIRONMENT.here().init(argv);
        // the same lock as in Environment.share, which sets these fields too
        synchronized (ENVIRONMENT) {
            COMM_WORLD = ENVIRONMENT.world();
            COMM_SELF = ENVIRONMENT.self();
        }
        return own;
    }

    /**
     * As {@link #Init}, asking for a thread level; every level is granted, see {@link #queryThread}.
     *
     * @param required the level that the program needs
     * @param provided ignored, for an int cannot be given back this way
     */
    public static String[] initThread(int required, int provided, String[] argv) throws MPIException {
        ENVIRONMENT.here().checkThreadLevel("MPI.initThread", required);
        return Init(argv);
    }

    /**
     * As {@link #Init}, asking for a thread level.
     *
     * @return the level that is provided, {@link #THREAD_MULTIPLE}
     */
    public static int InitThread(String[] argv, int required) throws MPIException {
        ENVIRONMENT.here().checkThreadLevel("MPI.InitThread", required);
        Init(argv);
        return THREAD_MULTIPLE;
    }

    /** True in the thread that called {@link #Init}. */
    public static boolean isMainThread() {
        return ENVIRONMENT.here().isMainThread();
    }

    /** The thread level that is provided, {@link #THREAD_MULTIPLE}. */
    public static int queryThread() {
        return THREAD_MULTIPLE;
    }

    /**
     * Leaves the job. Buffered messages are sent first; messages that others send to this rank from now on raise an
     * error there.
     *
     * @throws MPIException if the rank has not joined
     */
    public static void Finalize() throws MPIException {
        ENVIRONMENT.here().close();
    }

    /**
     * Tells a profile of the job, if one is made, what to record of this rank. Otherwise this does nothing.
     *
     * @param level 0: nothing from now on; any other: all from now on
     */
    public static void Pcontrol(int level) {
        // the recorder changes calls of this method in programs that it records
    }

    /** True from {@link #Init} to {@link #Finalize}. */
    public static boolean Initialized() throws MPIException {
        return ENVIRONMENT.here().isInitialized();
    }

    /** True from {@link #Finalize} to the next {@link #Init}. */
    public static boolean Finalized() throws MPIException {
        return ENVIRONMENT.here().isFinalized();
    }

    /** Seconds since some moment in the past, from a clock of nanoseconds that never goes backwards. */
    public static double Wtime() throws MPIException {
        return System.nanoTime() * 1e-9;
    }

    /** Seconds between two ticks of the clock of {@link #Wtime}. */
    public static double Wtick() throws MPIException {
        return 1e-9;
    }

    /** Name of this machine. */
    public static String Get_processor_name() throws MPIException {
        return Host.nameHere();
    }

    /**
     * A key for {@link Comm#Attr_put(int, Object)} that nobody else has.
     *
     * @param inherited whether duplicates of a communicator get the value too, the same object
     */
    public static int Keyval_create(boolean inherited) throws MPIException {
        return ENVIRONMENT.here().createKey(inherited);
    }

    /**
     * Gives a key up; values that are kept under it can be read as before.
     *
     * @throws MPIException if it is none of {@link #Keyval_create}
     */
    public static void Keyval_free(int keyval) throws MPIException {
        ENVIRONMENT.here().freeKey(keyval);
    }

    /**
     * Sets the error handler for all calls whose communicator has none of its own. It holds until {@link #Finalize};
     * at first it is {@link #ERRORS_RETURN}.
     */
    public static void Errorhandler_set(Errhandler errhandler) throws MPIException {
        ENVIRONMENT.here().errorHandler(errhandler);
    }

    /** The error handler for all calls whose communicator has none of its own. */
    public static Errhandler Errorhandler_get() throws MPIException {
        return ENVIRONMENT.here().errorHandler();
    }

    /**
     * Memory outside the heap to send large messages from, zeroed: where ranks are processes of one host, the receiver
     * reads them there, and one copy is saved. It is given back by {@link Memory#close}, or else by {@link #Finalize}.
     *
     * @param bytes at least 1
     * @throws MPIException if {@code bytes} is less, or there is no memory
     */
    public static Memory allocate(long bytes) throws MPIException {
        return ENVIRONMENT.here().allocate(bytes);
    }

    /**
     * Gives memory for buffered sends: what lies between position and limit of a buffer. A message takes at most
     * {@link Comm#Pack_size} and {@link #BSEND_OVERHEAD} bytes of it until it has left.
     *
     * @throws MPIException if memory is attached already
     */
    public static void Buffer_attach(ByteBuffer userBuffer) throws MPIException {
        ENVIRONMENT.here().attach(userBuffer);
    }

    /** As {@link #Buffer_attach(ByteBuffer)}, with an array. */
    public static void Buffer_attach(byte[] userBuffer) throws MPIException {
        ENVIRONMENT.here().attach(userBuffer);
    }

    /** Waits until the buffered messages have left, and takes the memory back; no effect if there is none. */
    public static void Buffer_detach() throws MPIException {
        ENVIRONMENT.here().detach();
    }
}
