package mpi;

import java.util.Objects;
import org.galerna.collectives.reduction.Operator;
import org.galerna.device.ErrorClass;
import org.galerna.mpi.collective.Operation;
import org.galerna.mpi.collective.Reductions;
import org.jspecify.annotations.Nullable;

/** An operation for reductions: one of the predefined ones of {@link MPI}, or one of the program's own. */
public class Op {
    /** 1 to 12 for MAX, MIN, SUM, PROD, LAND, BAND, LOR, BOR, LXOR, BXOR, MAXLOC, MINLOC; 0 for others. */
    public int opCode;

    /** What it is to the engine; null if it is one of the program's own. */
    private final @Nullable Operation predefined;

    private final @Nullable User_function function;
    private final boolean commutative;
    private boolean freed;

    Op(Operator operator, int opCode) {
        this.predefined = Operation.of("MPI." + operator, operator, "MPI.INT2");
        this.function = null;
        this.commutative = true;
        this.opCode = opCode;
    }

    /**
     * An operation of the program's own, which must be associative.
     *
     * @param commute whether the order of the operands does not matter; if it does, they are combined in the order of
     *     the ranks
     */
    public Op(User_function function, boolean commute) throws MPIException {
        this(function, commute, 0);
    }

    /** As {@link #Op(User_function, boolean)}, with a code. */
    public Op(User_function function, boolean commute, int opCode) throws MPIException {
        if (function == null) {
            throw Errors.failed("Op", Errors.wrong(ErrorClass.OP, "the function is null"));
        }
        this.predefined = null;
        this.function = function;
        this.commutative = commute;
        this.opCode = opCode;
    }

    /**
     * Combines items: each item of {@code inoutvec} becomes {@code invec (op) inoutvec}.
     *
     * @throws MPIException if the operation is not defined for the datatype, or an array is too short
     */
    public final void Call(Object invec, int inoffset, Object inoutvec, int inoutoffset, int count, Datatype datatype) {
        try {
            requireUsable();
            Datatype.checked(datatype).inside.check(invec, inoffset, count);
            datatype.inside.check(inoutvec, inoutoffset, count);
            if (function != null) {
                function.Call(invec, inoffset, inoutvec, inoutoffset, count, datatype);
            } else if (predefined != null) {
                Reductions.apply(predefined, invec, inoffset, inoutvec, inoutoffset, count, datatype.inside);
            }
        } catch (RuntimeException failure) {
            throw Errors.failed("Op.Call", failure);
        }
    }

    /** Gives an operation of the program's own up; the predefined ones stay as they are. */
    public void free() throws MPIException {
        freed = function != null;
    }

    /** Does nothing, and being empty costs nothing: the virtual machine registers no finalizer for an empty method. */
    @Override
    @SuppressWarnings({"removal", "deprecation", "Finalize"})
    public void finalize() throws MPIException {}

    /** What the engine combines items of a datatype with. */
    static @Nullable Operation on(@Nullable Op op, @Nullable Datatype type) {
        if (op == null) {
            return null;
        }
        return op.predefined != null ? op.predefined : op.ofProgram(type);
    }

    private Operation ofProgram(@Nullable Datatype type) {
        User_function own = Objects.requireNonNull(function);
        Datatype items = type == null ? Constants.NULL : type; // the engine finds that there is no type
        return Operation.of(
                (in, inOffset, inOut, inOutOffset, count) -> own.Call(in, inOffset, inOut, inOutOffset, count, items),
                commutative,
                !freed);
    }

    final void requireUsable() {
        if (freed) {
            throw Errors.wrong(ErrorClass.OP, "the operation has been freed");
        }
    }

    @Override
    public String toString() {
        return predefined != null ? predefined.toString() : "a user function";
    }
}
