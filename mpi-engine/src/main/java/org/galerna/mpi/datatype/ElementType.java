package org.galerna.mpi.datatype;

import org.jspecify.annotations.Nullable;

/** What the arrays that MPI sends and receives are made of: the base types of all datatypes. */
public enum ElementType {
    BYTE(1, byte[].class),
    CHAR(2, char[].class),
    SHORT(2, short[].class),
    BOOLEAN(1, boolean[].class),
    INT(4, int[].class),
    LONG(8, long[].class),
    FLOAT(4, float[].class),
    DOUBLE(8, double[].class),
    OBJECT(0, Object[].class);

    private final int bytes;
    private final Class<?> arrayClass;

    ElementType(int bytes, Class<?> arrayClass) {
        this.bytes = bytes;
        this.arrayClass = arrayClass;
    }

    /** Bytes of an element in a message; 0 for objects, which have no fixed size. */
    public int bytes() {
        return bytes;
    }

    /** Class of the arrays; those of objects may also be of a subclass. */
    public Class<?> arrayClass() {
        return arrayClass;
    }

    /**
     * True if arrays of these elements are sent as they lie in memory. The others, booleans and objects, are converted
     * to bytes first.
     */
    public boolean isPlain() {
        return this != BOOLEAN && this != OBJECT;
    }

    /** True if {@code buffer} is an array of these elements. */
    public boolean isArray(@Nullable Object buffer) {
        return buffer != null && (buffer.getClass() == arrayClass || (this == OBJECT && buffer instanceof Object[]));
    }

    /** Number of elements of an array of these elements. */
    public int length(Object array) {
        return switch (this) {
            case BYTE -> ((byte[]) array).length;
            case CHAR -> ((char[]) array).length;
            case SHORT -> ((short[]) array).length;
            case BOOLEAN -> ((boolean[]) array).length;
            case INT -> ((int[]) array).length;
            case LONG -> ((long[]) array).length;
            case FLOAT -> ((float[]) array).length;
            case DOUBLE -> ((double[]) array).length;
            case OBJECT -> ((Object[]) array).length;
        };
    }

    /** A new array of {@code length} elements. */
    public Object newArray(int length) {
        return switch (this) {
            case BYTE -> new byte[length];
            case CHAR -> new char[length];
            case SHORT -> new short[length];
            case BOOLEAN -> new boolean[length];
            case INT -> new int[length];
            case LONG -> new long[length];
            case FLOAT -> new float[length];
            case DOUBLE -> new double[length];
            case OBJECT -> new Object[length];
        };
    }
}
