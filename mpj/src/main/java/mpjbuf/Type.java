package mpjbuf;

import java.nio.ByteOrder;
import org.galerna.mpi.datatype.ElementType;

/** What the elements of a section of a {@link Buffer} are. */
public enum Type {
    BYTE(ElementType.BYTE, 1, false),
    CHAR(ElementType.CHAR, 2, false),
    SHORT(ElementType.SHORT, 3, false),
    BOOLEAN(ElementType.BOOLEAN, 4, false),
    INT(ElementType.INT, 5, false),
    LONG(ElementType.LONG, 6, false),
    FLOAT(ElementType.FLOAT, 7, false),
    DOUBLE(ElementType.DOUBLE, 8, false),
    OBJECT(ElementType.OBJECT, 9, true),
    BYTE_DYNAMIC(ElementType.BYTE, 10, true),
    CHAR_DYNAMIC(ElementType.CHAR, 11, true),
    SHORT_DYNAMIC(ElementType.SHORT, 12, true),
    BOOLEAN_DYNAMIC(ElementType.BOOLEAN, 13, true),
    INT_DYNAMIC(ElementType.INT, 14, true),
    LONG_DYNAMIC(ElementType.LONG, 15, true),
    FLOAT_DYNAMIC(ElementType.FLOAT, 16, true),
    DOUBLE_DYNAMIC(ElementType.DOUBLE, 17, true);

    /** The order of bytes in a buffer: as they lie in memory. */
    static final ByteOrder ORDER = ByteOrder.nativeOrder();

    private final ElementType element;
    private final int code;
    private final boolean dynamic;

    Type(ElementType element, int code, boolean dynamic) {
        this.element = element;
        this.code = code;
        this.dynamic = dynamic;
    }

    /** Bytes of an element in a buffer; 0 for objects, which have no fixed size. */
    public int getSize() {
        return element.bytes();
    }

    ElementType element() {
        return element;
    }

    /** Whether elements need no room that has been provided for, because the buffer grows. */
    public boolean isDynamic() {
        return dynamic;
    }

    /** The number in a section's header: 1 and up, so that an empty buffer has no sections. */
    int code() {
        return code;
    }
}
