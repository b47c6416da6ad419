package mpi;

import java.util.function.Supplier;
import org.galerna.device.ErrorClass;
import org.galerna.mpi.comm.AttributeKeys;
import org.galerna.mpi.comm.Communicator;
import org.galerna.mpi.object.PackedData;
import org.galerna.mpi.session.Session;
import org.jspecify.annotations.Nullable;

/** What a communicator is apart from its messages: its ranks, its attributes, its end, and data packed by the program. */
public abstract class BaseComm {
    /** The local group. */
    public Group group;

    /** Ranks and contexts as the device knows them. */
    public mpjdev.Comm mpjdevComm;

    /** The rank that this belongs to; null if it cannot be used. */
    private final @Nullable Environment environment;

    /** What it is to the engine. */
    final Communicator inside;

    private volatile @Nullable Errhandler ownErrorHandler;
    private final org.galerna.mpi.comm.Attributes attributes;

    /** A communicator that cannot be used, for the reason given. */
    BaseComm(String unusable) {
        this.inside = Communicator.unusable(unusable);
        this.mpjdevComm = new mpjdev.Comm(0, Group.NOBODY, Group.NOBODY);
        this.group = new Group(Group.NOBODY);
        this.environment = null;
        this.attributes = new org.galerna.mpi.comm.Attributes(new AttributeKeys());
        inside.face(new MpiFace(this));
    }

    BaseComm(Environment environment, Communicator inside) {
        this.environment = environment;
        this.attributes = new org.galerna.mpi.comm.Attributes(environment.keys());
        this.inside = inside;
        this.mpjdevComm = mpjdev.Comm.of(inside);
        this.group = new Group(mpjdevComm.localgroup);
        inside.face(new MpiFace(this));
        mpjdevComm.connect(inside.session(), this::barrierOfGroup);
        environment.register(this);
    }

    // ---- what a communicator is

    /** Number of ranks in the local group. */
    public int Size() throws MPIException {
        requireUsable("Comm.Size");
        return inside().size();
    }

    /** This rank in the local group. */
    public int Rank() throws MPIException {
        requireUsable("Comm.Rank");
        return inside().rank();
    }

    /** The local group. */
    public Group Group() throws MPIException {
        requireUsable("Comm.Group");
        return group;
    }

    /** True if this is {@link MPI#COMM_NULL} or has been freed. */
    public boolean Is_null() {
        return inside().unusable() != null;
    }

    /** True for a communicator between two groups. */
    public boolean Test_inter() throws MPIException {
        return false;
    }

    /** {@link MPI#CART}, {@link MPI#GRAPH} or {@link MPI#UNDEFINED}. */
    public int Topo_test() throws MPIException {
        return MPI.UNDEFINED;
    }

    /** A communicator of the same ranks with contexts of its own; all ranks have to call it. */
    @Override
    public Object clone() throws MPIException {
        throw failed("Comm.clone", inside().notUsable());
    }

    /**
     * Gives the communicator up. Communication under way goes on.
     *
     * @throws MPIException if it is one of the predefined communicators
     */
    public void Free() throws MPIException {
        run("Comm.Free", inside()::free);
    }

    /**
     * Ends the whole job with the given exit status, as the system has it: 1 to 255.
     *
     * @param errorcode exit status; of a larger number, or a negative one, the lowest eight bits, or 1 if they are 0
     */
    public void Abort(int errorcode) throws MPIException {
        Environment ofRank = environment();
        Session open = ofRank.sessionOrNull();
        if (open == null) {
            throw Errors.failed(ofRank, "Comm.Abort", Errors.wrong(ErrorClass.OTHER, ofRank.whyNotRunning()));
        }
        open.abort(errorcode, "rank " + open.wireup().rank() + " called Abort(" + errorcode + ")");
    }

    // ---- attributes and error handlers

    /**
     * The value kept under a key: {@link MPI#TAG_UB}, {@link MPI#HOST}, {@link MPI#IO}, {@link MPI#WTIME_IS_GLOBAL}
     * (all of them an {@link Integer}), or one that was put.
     *
     * @return null if there is none
     */
    public @Nullable Object Attr_get(int keyval) throws MPIException {
        requireUsable("Comm.Attr_get");
        Object predefined = Attributes.predefined(keyval, inside().session());
        return predefined != null ? predefined : attributes.get(keyval);
    }

    /** Keeps a value under a key of the program's choice, or one of {@link MPI#Keyval_create}. */
    public void Attr_put(int keyval, int value) throws MPIException {
        Attr_put(keyval, (Object) value);
    }

    /** As {@link #Attr_put(int, int)}, with any object. */
    public void Attr_put(int keyval, Object value) throws MPIException {
        requireUsable("Comm.Attr_put");
        run("Comm.Attr_put", () -> {
            Attributes.checkChangeable(keyval);
            attributes.put(keyval, value);
        });
    }

    /** Forgets the value kept under a key. */
    public void Attr_delete(int keyval) throws MPIException {
        requireUsable("Comm.Attr_delete");
        run("Comm.Attr_delete", () -> {
            Attributes.checkChangeable(keyval);
            attributes.delete(keyval);
        });
    }

    /** Sets the error handler of this communicator alone; see {@link MPI#Errorhandler_set} for that of the rank. */
    public void Errhandler_set(Errhandler errhandler) throws MPIException {
        requireUsable("Comm.Errhandler_set");
        ownErrorHandler = errhandler;
    }

    /** The error handler in effect for this communicator. */
    public Errhandler Errorhandler_get() throws MPIException {
        Errhandler own = ownErrorHandler;
        return own != null ? own : environment().errorHandler();
    }

    /** As {@link #Errorhandler_get}, by the name that goes with {@link #Errhandler_set}. */
    public Errhandler Errhandler_get() throws MPIException {
        return Errorhandler_get();
    }

    /** The rank that this belongs to; of what cannot be used, the rank that asks. */
    final Environment environment() {
        return environment == null ? Environment.ofCaller() : environment;
    }

    /** A communicator that is derived from another behaves like it when a call fails. */
    void inheritFrom(BaseComm parent) {
        ownErrorHandler = parent.ownErrorHandler;
    }

    /** A duplicate has the attributes of the original whose keys say so. */
    final <C extends BaseComm> C duplicated(C copy) {
        copy.inheritFrom(this);
        BaseComm duplicate = copy;
        duplicate.attributes.inherit(attributes);
        return copy;
    }

    /** For {@link mpjdev.Comm#barrier}. */
    void barrierOfGroup() {
        throw failed("mpjdev.Comm.barrier", inside().notUsable());
    }

    // ---- what the other classes of the package need

    /** What calls of the calling thread are for, to the engine. */
    Communicator inside() {
        return inside;
    }

    /** What a method throws whose call has failed. */
    final MPIException failed(String call, RuntimeException failure) {
        return Errors.failed(this, call, failure);
    }

    /** Does what a method is for; a failure reaches the program as one of that call. */
    final <T extends @Nullable Object> T call(String call, Supplier<T> body) {
        try {
            return body.get();
        } catch (RuntimeException failure) {
            throw failed(call, failure);
        }
    }

    /** As {@link #call}, without a result. */
    final void run(String call, Runnable body) {
        try {
            body.run();
        } catch (RuntimeException failure) {
            throw failed(call, failure);
        }
    }

    void invalidate(String reason) {
        inside.invalidate(reason);
    }

    final void requireUsable(String call) throws MPIException {
        if (inside().unusable() != null) {
            throw failed(call, inside().notUsable());
        }
    }

    // ---- data packed by the program

    /** Serializes objects, for {@link #Object_Deserialize}. */
    public byte[] Object_Serialize(Object buf, int offset, int count, Datatype type) throws MPIException {
        return call("Comm.Object_Serialize", () -> {
            inside().checkUsable();
            return inside().session().packedData().serialize(buf, offset, count, Datatype.checked(type).inside);
        });
    }

    /** Brings objects back that {@link #Object_Serialize} has serialized. */
    public void Object_Deserialize(Object buf, byte[] data, int offset, int count, Datatype type) throws MPIException {
        run("Comm.Object_Deserialize", () -> {
            inside().checkUsable();
            inside().session()
                    .packedData()
                    .unpack(data, 0, buf, offset, count, PackedData.ofObjects(Datatype.inside(type)));
        });
    }

    /**
     * Bytes that {@code incount} items take when they are packed.
     *
     * @throws MPIException for objects, which have no size before they are packed
     */
    public int Pack_size(int incount, Datatype datatype) throws MPIException {
        return call("Comm.Pack_size", () -> PackedData.size(incount, Datatype.checked(datatype).inside));
    }

    /**
     * Packs items into an array, from {@code position} on.
     *
     * @return the position behind them
     */
    public int Pack(Object inbuf, int offset, int incount, Datatype datatype, byte[] outbuf, int position)
            throws MPIException {
        return call("Comm.Pack", () -> {
            inside().checkUsable();
            return inside().session()
                    .packedData()
                    .pack(inbuf, offset, incount, Datatype.checked(datatype).inside, outbuf, position);
        });
    }

    /** As {@link #Pack(Object, int, int, Datatype, byte[], int)}. */
    public int Pack(Object inbuf, int offset, int incount, Datatype datatype, mpjbuf.Buffer outbuf, int position)
            throws MPIException {
        int end = Pack(inbuf, offset, incount, datatype, outbuf.array(), position);
        outbuf.setSize(end);
        return end;
    }

    /**
     * Unpacks items out of an array, from {@code position} on.
     *
     * @return the position behind them
     */
    public int Unpack(byte[] inbuf, int position, Object outbuf, int offset, int outcount, Datatype datatype)
            throws MPIException {
        return call("Comm.Unpack", () -> {
            inside().checkUsable();
            return inside().session()
                    .packedData()
                    .unpack(inbuf, position, outbuf, offset, outcount, Datatype.checked(datatype).inside);
        });
    }

    /** As {@link #Unpack(byte[], int, Object, int, int, Datatype)}. */
    public int Unpack(mpjbuf.Buffer inbuf, int position, Object outbuf, int offset, int outcount, Datatype datatype)
            throws MPIException {
        return Unpack(inbuf.array(), position, outbuf, offset, outcount, datatype);
    }
}
