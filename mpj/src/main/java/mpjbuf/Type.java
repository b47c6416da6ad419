package mpjbuf;

import java.nio.ByteOrder;
import org.galerna.mpj.ElementType;

/** What the elements of a section of a {@link Buffer} are. */
public enum Type {
    BYTE(ElementType.BYTE),
    CHAR(ElementType.CHAR),
    SHORT(ElementType.SHORT),
    BOOLEAN(ElementType.BOOLEAN),
    INT(ElementType.INT),
    LONG(ElementType.LONG),
    FLOAT(ElementType.FLOAT),
    DOUBLE(ElementType.DOUBLE),
    OBJECT(ElementType.OBJECT);

    /** The order of bytes in a buffer: as they lie in memory. */
    static final ByteOrder ORDER = ByteOrder.nativeOrder();

    private final ElementType element;

    Type(ElementType element) {
        this.element = element;
    }

    /** Bytes of an element in a buffer; 0 for objects, which have no fixed size. */
    public int getSize() {
        return element.bytes();
    }

    ElementType element() {
        return element;
    }

    /** The number in a section's header: 1 and up, so that an empty buffer has no sections. */
    int code() {
        return switch (this) {
            case BYTE -> 1;
            case CHAR -> 2;
            case SHORT -> 3;
            case BOOLEAN -> 4;
            case INT -> 5;
            case LONG -> 6;
            case FLOAT -> 7;
            case DOUBLE -> 8;
            case OBJECT -> 9;
        };
    }
}
