package mpi;

import org.galerna.collectives.reduction.Operator;
import org.galerna.mpi.datatype.InPlace;
import org.galerna.mpi.request.PointToPoint;

/**
 * What the constants of {@link MPI} are. Ranks that are threads of one virtual machine have a class {@code MPI} each and
 * share these, as they share all other classes of the package. Programs use {@link MPI}.
 */
public final class Constants {
    public static final int ANY_SOURCE = PointToPoint.ANY_SOURCE;
    public static final int ANY_TAG = PointToPoint.ANY_TAG;
    public static final int PROC_NULL = org.galerna.mpi.group.Group.NULL_PROCESS;
    public static final int UNDEFINED = org.galerna.mpi.group.Group.UNDEFINED;

    public static final Object IN_PLACE = new InPlace("MPI.IN_PLACE");

    public static final Datatype NULL = new BasicType(BasicType.NULL, "NULL");
    public static final Datatype BYTE = new BasicType(BasicType.BYTE, "BYTE");
    public static final Datatype CHAR = new BasicType(BasicType.CHAR, "CHAR");
    public static final Datatype SHORT = new BasicType(BasicType.SHORT, "SHORT");
    public static final Datatype BOOLEAN = new BasicType(BasicType.BOOLEAN, "BOOLEAN");
    public static final Datatype INT = new BasicType(BasicType.INT, "INT");
    public static final Datatype LONG = new BasicType(BasicType.LONG, "LONG");
    public static final Datatype FLOAT = new BasicType(BasicType.FLOAT, "FLOAT");
    public static final Datatype DOUBLE = new BasicType(BasicType.DOUBLE, "DOUBLE");
    public static final Datatype PACKED = new BasicType(BasicType.PACKED, "PACKED");
    public static final Datatype LB = new BasicType(BasicType.LB, "LB");
    public static final Datatype UB = new BasicType(BasicType.UB, "UB");
    public static final Datatype OBJECT = new BasicType(BasicType.OBJECT, "OBJECT");
    public static final Datatype SHORT2 = new Contiguous(SHORT, "SHORT2");
    public static final Datatype INT2 = new Contiguous(INT, "INT2");
    public static final Datatype LONG2 = new Contiguous(LONG, "LONG2");
    public static final Datatype FLOAT2 = new Contiguous(FLOAT, "FLOAT2");
    public static final Datatype DOUBLE2 = new Contiguous(DOUBLE, "DOUBLE2");
    public static final Op MAX = new Op(Operator.MAX, 1);
    public static final Op MIN = new Op(Operator.MIN, 2);
    public static final Op SUM = new Op(Operator.SUM, 3);
    public static final Op PROD = new Op(Operator.PROD, 4);
    public static final Op LAND = new Op(Operator.LAND, 5);
    public static final Op BAND = new Op(Operator.BAND, 6);
    public static final Op LOR = new Op(Operator.LOR, 7);
    public static final Op BOR = new Op(Operator.BOR, 8);
    public static final Op LXOR = new Op(Operator.LXOR, 9);
    public static final Op BXOR = new Op(Operator.BXOR, 10);
    public static final Op MAXLOC = new Op(Operator.MAXLOC, 11);
    public static final Op MINLOC = new Op(Operator.MINLOC, 12);
    public static final Errhandler ERRORS_ARE_FATAL = new Errhandler(Errhandler.FATAL);
    public static final Errhandler ERRORS_RETURN = new Errhandler(Errhandler.RETURN);
    public static final Group GROUP_EMPTY = new Group(Group.NOBODY);
    public static final Group GROUP_NULL = Group.none();
    public static final Comm COMM_NULL = new Comm("this is MPI.COMM_NULL");
    public static final Request REQUEST_NULL = new Request(COMM_NULL.inside);

    private Constants() {}
}
