package org.galerna.mpi.datatype;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import java.util.Objects;
import org.galerna.device.DeviceException;
import org.galerna.device.ErrorClass;
import org.jspecify.annotations.Nullable;

/**
 * What the items of a message are: a {@link Layout} with a name, ready for the device. Immutable but for {@link #free};
 * may be used by any thread.
 */
public final class Datatype {
    private final String kind;
    private final @Nullable String name;
    private final Layout layout;
    private final boolean oneRun;
    private final int elementBytes;
    private final int itemBytes;

    /** Whether it is made of other types. */
    private final boolean derived;

    private @Nullable Class<?> arrayClass;
    private boolean freed;

    /**
     * A datatype.
     *
     * @param kind what it is, such as a vector
     * @param name what messages call it; null if they describe it
     * @param derived whether it is made of others
     * @throws DeviceException if an item has more bytes than a message can
     */
    public Datatype(String kind, @Nullable String name, Layout layout, boolean derived) {
        this.kind = kind;
        this.name = name;
        this.layout = layout;
        this.derived = derived;
        ElementType element = layout.element();
        this.elementBytes = element == null ? 0 : element.bytes();
        this.itemBytes = bytesOfItem(elementBytes, layout);
        this.arrayClass = element != null && element.isPlain() && layout.isDense() ? element.arrayClass() : null;
        this.oneRun = element != null && element.isPlain() && layout.isOneRun();
    }

    private static int bytesOfItem(int elementBytes, Layout layout) {
        long bytes = (long) elementBytes * layout.size();
        if (bytes > Integer.MAX_VALUE) {
            throw new DeviceException(
                    ErrorClass.COUNT,
                    "an item of " + layout.size() + " elements has " + bytes + " bytes, but at most "
                            + Integer.MAX_VALUE + " are possible; use a smaller type and send several items");
        }
        return (int) bytes;
    }

    /** Which elements an item consists of. */
    public Layout layout() {
        return layout;
    }

    /** Class of the arrays that are sent as they lie in memory; null if this type has to be packed or serialized. */
    public @Nullable Class<?> arrayClass() {
        return arrayClass;
    }

    /** Bytes of an element; 0 for objects. */
    public int elementBytes() {
        return elementBytes;
    }

    /** Bytes of an item when it is packed; 0 for objects. */
    public int itemBytes() {
        return itemBytes;
    }

    /** Gives the type up; operations that use it already go on. */
    public void free() {
        freed = true;
        arrayClass = null;
    }

    /** What other types may be made of, the bound markers too: not a type that has been freed. */
    public void requireUsable() {
        if (freed) {
            throw freedAlready();
        }
    }

    private static DeviceException freedAlready() {
        return new DeviceException(ErrorClass.TYPE, "the datatype has been freed");
    }

    /** A datatype that is there. */
    public static Datatype checked(@Nullable Datatype type) {
        if (type == null) {
            throw new DeviceException(ErrorClass.TYPE, "the datatype is null");
        }
        return type;
    }

    /** Element type, or an error if this is no type to communicate with. */
    public ElementType element() {
        if (freed) {
            throw freedAlready();
        }
        if (layout.element() == null && !isNothing()) {
            throw new DeviceException(ErrorClass.TYPE, this + " is no datatype to communicate with");
        }
        return elementOfOperation();
    }

    /** Whether this is made of no elements of any type, such as a structure without members; not the bound markers. */
    private boolean isNothing() {
        return derived && layout.element() == null;
    }

    /** Whether {@code count} items are a block of memory, which is sent as it lies there. */
    public boolean isBlock(int count) {
        return arrayClass != null || (oneRun && count == 1);
    }

    /** Where such a block begins, in bytes from the beginning of the array. */
    public long startOf(int offset) {
        return ((long) offset + layout.lowest()) * elementBytes;
    }

    /** Element type for an operation under way, which the type's being freed does not concern. */
    public ElementType elementOfOperation() {
        return Objects.requireNonNullElse(layout.element(), ElementType.BYTE); // of nothing, any number is none
    }

    public boolean isObject() {
        return layout.element() == ElementType.OBJECT;
    }

    /**
     * Checks that {@code count} items lie in a buffer.
     *
     * @throws DeviceException if they do not
     */
    public void check(@Nullable Object buffer, int offset, int count) {
        if (buffer == null) {
            throw new DeviceException(ErrorClass.BUFFER, "the buffer is null");
        }
        ElementType element = element();
        if (buffer instanceof InPlace) {
            throw new DeviceException(ErrorClass.BUFFER, buffer + " cannot take the place of this buffer on this rank");
        }
        if (isNothing() && buffer.getClass().isArray()) {
            checkRange(Array.getLength(buffer), buffer, offset, count);
            return;
        }
        if (!element.isArray(buffer)) {
            throw new DeviceException(
                    ErrorClass.TYPE,
                    "the buffer is " + withArticle(buffer.getClass()) + ", but " + this + " needs "
                            + withArticle(element.arrayClass()));
        }
        checkRange(Array.getLength(buffer), buffer, offset, count);
    }

    /**
     * A number of items as messages name them: "1 item of MPI.INT".
     *
     * @param type null if the program has given none
     */
    public static String items(int count, @Nullable Datatype type) {
        return count + (count == 1 ? " item of " : " items of ") + type;
    }

    /** As {@link #check}, for messages, which may lie in memory that is no array, too. */
    public void checkMessage(@Nullable Object buffer, int offset, int count) {
        if (buffer instanceof MemorySegment segment) {
            checkRange(ProgramBuffer.elements(segment, element(), this), segment, offset, count);
        } else {
            check(buffer, offset, count);
        }
    }

    private void checkRange(long length, Object buffer, int offset, int count) {
        if (count < 0) {
            throw new DeviceException(ErrorClass.COUNT, "count must not be negative, it is " + count);
        }
        if (offset < 0 || offset > length) {
            throw new DeviceException(
                    ErrorClass.BUFFER,
                    "offset " + offset + " is not within the buffer, " + kind(buffer) + " of " + length + " elements");
        }
        if (!layout.fits(length, offset, count)) {
            throw new DeviceException(
                    ErrorClass.COUNT,
                    items(count, this) + " from offset " + offset + " are not within the buffer of " + length
                            + " elements");
        }
    }

    private static String kind(Object buffer) {
        return buffer.getClass().isArray() ? withArticle(buffer.getClass()) : "memory";
    }

    /** {@code an int[]}. */
    static String withArticle(Class<?> type) {
        String name = type.getTypeName();
        return ("aeiou".indexOf(name.charAt(0)) < 0 ? "a " : "an ") + name;
    }

    @Override
    public String toString() {
        return name != null ? name : kind + " of " + layout;
    }
}
