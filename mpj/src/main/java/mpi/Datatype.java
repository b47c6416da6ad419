package mpi;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import java.util.Objects;
import org.galerna.device.DeviceException;
import org.galerna.device.ErrorClass;
import org.galerna.mpi.datatype.ElementType;
import org.galerna.mpi.datatype.Layout;
import org.jspecify.annotations.Nullable;

/**
 * Which elements of an array a message consists of. The elements of a datatype are all of one base type, since those
 * of a Java array are; sizes, extents, bounds and displacements are in elements of it, not in bytes. Immutable but for
 * {@link #free}; may be used by any thread.
 */
public abstract class Datatype implements Freeable {
    /** Code of the base type: 1 byte, 2 char, 3 short, 4 boolean, 5 int, 6 long, 7 float, 8 double, 12 object. */
    public int baseType;

    final Layout layout;

    /** Class of the arrays that are sent as they lie in memory; null if this type has to be packed or serialized. */
    @Nullable
    Class<?> arrayClass;

    /** Whether a single item is a block of memory, even if several are not. */
    private final boolean oneRun;

    /** Bytes of an element; 0 for objects. */
    final int elementBytes;

    /** Bytes of an item when it is packed; 0 for objects. */
    final int itemBytes;

    /** Whether it is made of other types, and neither predefined nor a subclass of a program. */
    private final boolean derived;

    private boolean freed;

    /** A datatype of nothing; for subclasses of programs, which no call accepts. */
    public Datatype() {
        this(0, Layout.nothing(), false);
    }

    /** A datatype made of others. */
    Datatype(int baseType, Layout layout) {
        this(baseType, layout, true);
    }

    Datatype(int baseType, Layout layout, boolean derived) {
        this.derived = derived;
        this.baseType = baseType;
        this.layout = layout;
        ElementType element = layout.element();
        this.elementBytes = element == null ? 0 : element.bytes();
        this.itemBytes = bytesOfItem(elementBytes, layout);
        this.arrayClass = element != null && element.isPlain() && layout.isDense() ? element.arrayClass() : null;
        this.oneRun = element != null && element.isPlain() && layout.isOneRun();
    }

    private static int bytesOfItem(int elementBytes, Layout layout) {
        long bytes = (long) elementBytes * layout.size();
        if (bytes > Integer.MAX_VALUE) {
            throw Errors.failed(
                    "Datatype",
                    Errors.wrong(
                            ErrorClass.COUNT,
                            "an item of " + layout.size() + " elements has " + bytes + " bytes, but at most "
                                    + Integer.MAX_VALUE + " are possible; use a smaller type and send several items"));
        }
        return (int) bytes;
    }

    /** Code of the base type, see {@link #baseType}. */
    public int getType() {
        return baseType;
    }

    /** Bytes of an item in a message, without gaps; 0 for objects. */
    public int getByteSize() {
        return itemBytes;
    }

    /** Distance from one item to the next, in elements. */
    public int Extent() throws MPIException {
        return layout.extent();
    }

    /** Number of elements in an item. */
    public int Size() throws MPIException {
        return layout.size();
    }

    /** Lower bound in elements. */
    public int Lb() throws MPIException {
        return layout.lowerBound();
    }

    /** Upper bound in elements. */
    public int Ub() throws MPIException {
        return layout.upperBound();
    }

    /** Makes the type ready for use; every type is from the beginning, so there is nothing to do. */
    public void Commit() throws MPIException {}

    /** Does nothing, and being empty costs nothing: the virtual machine registers no finalizer for an empty method. */
    @Override
    @SuppressWarnings({"removal", "deprecation", "Finalize"})
    public void finalize() throws MPIException {}

    /**
     * {@code count} items side by side.
     *
     * @throws MPIException if {@code count} is negative
     */
    public static Datatype Contiguous(int count, Datatype oldtype) throws MPIException {
        try {
            return new Contiguous(count, checked(oldtype));
        } catch (RuntimeException failure) {
            throw Errors.failed("Datatype.Contiguous(" + count + ")", failure);
        }
    }

    /**
     * {@code count} blocks of {@code blocklength} items.
     *
     * @param stride distance between the starts of blocks, in extents of {@code oldtype}
     * @throws MPIException if a number is negative
     */
    public static Datatype Vector(int count, int blocklength, int stride, Datatype oldtype) throws MPIException {
        return new Vector(count, blocklength, stride, oldtype, true);
    }

    /** As {@link #Vector}, with {@code stride} in elements of the base type. */
    public static Datatype Hvector(int count, int blocklength, int stride, Datatype oldtype) throws MPIException {
        return new Vector(count, blocklength, stride, oldtype, false);
    }

    /**
     * Blocks of different lengths anywhere.
     *
     * @param lengths items in each block
     * @param displacements where each block starts, in extents of {@code oldtype}
     * @throws MPIException if the arrays differ in length or a length is negative
     */
    public static Datatype Indexed(int[] lengths, int[] displacements, Datatype oldtype) throws MPIException {
        return new Indexed(lengths, displacements, oldtype, true);
    }

    /** As {@link #Indexed}, with displacements in elements of the base type. */
    public static Datatype Hindexed(int[] lengths, int[] displacements, Datatype oldtype) throws MPIException {
        return new Indexed(lengths, displacements, oldtype, false);
    }

    /**
     * Blocks of different types, which must all have the same base type; {@link MPI#LB} and {@link MPI#UB} set bounds.
     *
     * @param lengths items in each block
     * @param displacements where each block starts, in elements of the base type
     * @throws MPIException if the arrays differ in length, a length is negative, or base types differ
     */
    public static Datatype Struct(int[] lengths, int[] displacements, Datatype[] types) throws MPIException {
        return new Struct(lengths, displacements, types);
    }

    /** Gives a derived type up; operations that use it already go on. The predefined types stay as they are. */
    @Override
    public void free() {
        freed = true;
        arrayClass = null;
    }

    /** Element type, or an error if this is no type to communicate with. */
    ElementType element() {
        if (freed) {
            throw freedAlready();
        }
        if (layout.element() == null && !isNothing()) {
            throw Errors.wrong(ErrorClass.TYPE, this + " is no datatype to communicate with");
        }
        return elementOfOperation();
    }

    /** Whether this is made of no elements of any type, such as a structure without members; not the bound markers. */
    private boolean isNothing() {
        return derived && layout.element() == null;
    }

    /** Whether {@code count} items are a block of memory, which is sent as it lies there. */
    boolean isBlock(int count) {
        return arrayClass != null || (oneRun && count == 1);
    }

    /** Where such a block begins, in bytes from the beginning of the array. */
    long startOf(int offset) {
        return ((long) offset + layout.lowest()) * elementBytes;
    }

    /** Element type for an operation under way, which the type's being freed does not concern. */
    ElementType elementOfOperation() {
        return Objects.requireNonNullElse(layout.element(), ElementType.BYTE); // of nothing, any number is none
    }

    boolean isObject() {
        return layout.element() == ElementType.OBJECT;
    }

    /**
     * Checks that {@code count} items lie in a buffer.
     *
     * @throws org.galerna.device.DeviceException if they do not
     */
    void check(@Nullable Object buffer, int offset, int count) {
        if (buffer == null) {
            throw Errors.wrong(ErrorClass.BUFFER, "the buffer is null");
        }
        ElementType element = element();
        if (buffer == Constants.IN_PLACE) {
            throw Errors.wrong(ErrorClass.BUFFER, "MPI.IN_PLACE cannot take the place of this buffer on this rank");
        }
        if (isNothing() && buffer.getClass().isArray()) {
            checkRange(Array.getLength(buffer), buffer, offset, count);
            return;
        }
        if (!element.isArray(buffer)) {
            throw Errors.wrong(
                    ErrorClass.TYPE,
                    "the buffer is a " + buffer.getClass().getTypeName() + ", but " + this + " needs a "
                            + element.arrayClass().getTypeName());
        }
        checkRange(Array.getLength(buffer), buffer, offset, count);
    }

    /** As {@link #check}, for messages, which may lie in memory that is no array, too. */
    void checkMessage(@Nullable Object buffer, int offset, int count) {
        if (buffer instanceof MemorySegment segment) {
            checkRange(Memory.elements(segment, element(), this), segment, offset, count);
        } else {
            check(buffer, offset, count);
        }
    }

    private void checkRange(long length, Object buffer, int offset, int count) {
        if (count < 0) {
            throw Errors.wrong(ErrorClass.COUNT, "count must not be negative, it is " + count);
        }
        if (offset < 0 || offset > length) {
            throw Errors.wrong(
                    ErrorClass.BUFFER,
                    "offset " + offset + " is not within the buffer, " + kind(buffer) + " of " + length + " elements");
        }
        if (!layout.fits(length, offset, count)) {
            throw Errors.wrong(
                    ErrorClass.COUNT,
                    count + " items of " + this + " from offset " + offset + " are not within the buffer of " + length
                            + " elements");
        }
    }

    private static String kind(Object buffer) {
        return buffer.getClass().isArray()
                ? "a " + buffer.getClass().getComponentType().getTypeName() + " array"
                : "memory";
    }

    /** Base type of what a derived type is made of; an error about null is left to the description of its layout. */
    static int baseTypeOf(@Nullable Datatype oldtype) {
        return oldtype == null ? BasicType.NULL : oldtype.baseType;
    }

    /** What other types may be made of, the bound markers too. */
    static Datatype usable(@Nullable Datatype type) {
        Datatype given = checked(type);
        if (given.freed) {
            throw freedAlready();
        }
        return given;
    }

    private static DeviceException freedAlready() {
        return Errors.wrong(ErrorClass.TYPE, "the datatype has been freed");
    }

    static Datatype checked(@Nullable Datatype type) {
        if (type == null) {
            throw Errors.wrong(ErrorClass.TYPE, "the datatype is null");
        }
        return type;
    }

    @Override
    public String toString() {
        return getClass().getSimpleName() + " of " + layout;
    }
}
