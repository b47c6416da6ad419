package mpi;

import org.galerna.mpi.datatype.ElementType;
import org.galerna.mpi.datatype.Layout;

/** A predefined type: one element of an array, or a marker for the bounds of a structure. */
public class BasicType extends Datatype {
    static final int NULL = 0;
    static final int BYTE = 1;
    static final int CHAR = 2;
    static final int SHORT = 3;
    static final int BOOLEAN = 4;
    static final int INT = 5;
    static final int LONG = 6;
    static final int FLOAT = 7;
    static final int DOUBLE = 8;
    static final int PACKED = 9;
    static final int LB = 10;
    static final int UB = 11;
    static final int OBJECT = 12;

    BasicType(int code, String name) {
        super(code, new org.galerna.mpi.datatype.Datatype("BasicType", "MPI." + name, layoutOf(code), false));
    }

    private static Layout layoutOf(int code) {
        return switch (code) {
            case BYTE, PACKED -> Layout.of(ElementType.BYTE);
            case CHAR -> Layout.of(ElementType.CHAR);
            case SHORT -> Layout.of(ElementType.SHORT);
            case BOOLEAN -> Layout.of(ElementType.BOOLEAN);
            case INT -> Layout.of(ElementType.INT);
            case LONG -> Layout.of(ElementType.LONG);
            case FLOAT -> Layout.of(ElementType.FLOAT);
            case DOUBLE -> Layout.of(ElementType.DOUBLE);
            case OBJECT -> Layout.of(ElementType.OBJECT);
            case LB -> Layout.lowerMarker();
            case UB -> Layout.upperMarker();
            default -> Layout.nothing();
        };
    }

    /** Does nothing: the predefined types cannot be freed. */
    @Override
    public void free() {}
}
