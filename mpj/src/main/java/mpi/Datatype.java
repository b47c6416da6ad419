package mpi;

import org.galerna.device.ErrorClass;
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

    /** What it is to the engine. */
    final org.galerna.mpi.datatype.Datatype inside;

    // what the engine's has as well: of the shortest messages, a load counts

    /** Class of the arrays that are sent as they lie in memory; null if this type has to be packed or serialized. */
    @Nullable
    Class<?> arrayClass;

    /** Bytes of an element; 0 for objects. */
    final int elementBytes;

    /** Bytes of an item when it is packed; 0 for objects. */
    final int itemBytes;

    /** A datatype of nothing; for subclasses of programs, which no call accepts. */
    public Datatype() {
        this(BasicType.NULL, new org.galerna.mpi.datatype.Datatype("Datatype", null, Layout.nothing(), false));
    }

    Datatype(int baseType, org.galerna.mpi.datatype.Datatype inside) {
        this.baseType = baseType;
        this.inside = inside;
        this.arrayClass = inside.arrayClass();
        this.elementBytes = inside.elementBytes();
        this.itemBytes = inside.itemBytes();
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
        return inside.layout().extent();
    }

    /** Number of elements in an item. */
    public int Size() throws MPIException {
        return inside.layout().size();
    }

    /** Lower bound in elements. */
    public int Lb() throws MPIException {
        return inside.layout().lowerBound();
    }

    /** Upper bound in elements. */
    public int Ub() throws MPIException {
        return inside.layout().upperBound();
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
        return new Contiguous(count, oldtype);
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
        inside.free();
        arrayClass = null;
    }

    /** What the engine takes in place of a datatype that a program may have left out. */
    static org.galerna.mpi.datatype.@Nullable Datatype inside(@Nullable Datatype type) {
        return type == null ? null : type.inside;
    }

    /** Base type of what a derived type is made of; an error about null is left to the description of its layout. */
    static int baseTypeOf(@Nullable Datatype oldtype) {
        return oldtype == null ? BasicType.NULL : oldtype.baseType;
    }

    static Datatype checked(@Nullable Datatype type) {
        if (type == null) {
            throw Errors.wrong(ErrorClass.TYPE, "the datatype is null");
        }
        return type;
    }

    @Override
    public String toString() {
        return inside.toString();
    }
}
