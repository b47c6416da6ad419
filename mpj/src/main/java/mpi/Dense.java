package mpi;

import java.util.Arrays;
import org.galerna.collectives.buffer.Blocks;
import org.galerna.device.ErrorClass;
import org.galerna.mpj.ElementType;
import org.galerna.mpj.Packing;
import org.jspecify.annotations.Nullable;

/**
 * A buffer of the program as the collectives take it: a block of memory. If the items lie in one already, it is the
 * program's own array; if not, a packed copy. Not for objects.
 */
final class Dense {
    private final Datatype type;
    private final Object buffer;
    private final int offset;
    private final boolean copied;

    /** An array for the collectives. */
    final Object array;

    /** Where the data begin in it, in bytes. */
    final long start;

    private Dense(Datatype type, Object buffer, int offset, @Nullable Object copy) {
        this.type = type;
        this.buffer = buffer;
        this.offset = offset;
        this.copied = copy != null;
        this.array = copy != null ? copy : buffer;
        this.start = copy != null ? 0 : (long) offset * type.elementBytes;
    }

    /** Items to send; checks the buffer. */
    static Dense outgoing(Object buffer, int offset, int count, Datatype type) {
        type.check(buffer, offset, count);
        return type.arrayClass != null
                ? new Dense(type, buffer, offset, null)
                : new Dense(type, buffer, offset, packed(buffer, offset, count, type));
    }

    /** As {@link #outgoing}, but never the program's array. */
    static Dense copyOf(Object buffer, int offset, int count, Datatype type) {
        type.check(buffer, offset, count);
        return new Dense(type, buffer, offset, packed(buffer, offset, count, type));
    }

    private static Object packed(Object buffer, int offset, int count, Datatype type) {
        return Packing.pack(type.layout, type.element(), buffer, offset, count);
    }

    /** Room for items to receive; checks the buffer. */
    static Dense incoming(Object buffer, int offset, int count, Datatype type) {
        type.check(buffer, offset, count);
        return type.arrayClass != null
                ? new Dense(type, buffer, offset, null)
                : new Dense(type, buffer, offset, Packing.allocate(type.layout, type.element(), count));
    }

    /** Brings {@code count} received items to the program's buffer. */
    void deliver(int count) {
        if (copied) {
            Packing.unpack(type.layout, type.element(), array, 0, count * type.layout.size(), buffer, offset);
        }
    }

    /** Blocks for each rank to send, with displacements in extents; checks all of them. */
    static Dense outgoing(Object buffer, int offset, int[] counts, int[] displacements, Datatype type, boolean copy) {
        checkBlocks(buffer, offset, counts, displacements, type);
        if (type.arrayClass != null && !copy) {
            return new Dense(type, buffer, offset, null);
        }
        ElementType element = type.element();
        Object packed = Packing.allocate(type.layout, element, total(counts));
        int position = 0;
        for (int rank = 0; rank < counts.length; rank++) {
            int at = offset + displacements[rank] * type.layout.extent();
            if (counts[rank] > 0) {
                Packing.pack(type.layout, element, buffer, at, counts[rank], packed, position);
            }
            position += counts[rank] * type.layout.size();
        }
        return new Dense(type, buffer, offset, packed);
    }

    /** Room for a block of each rank, with displacements in extents; checks all of them. */
    static Dense incoming(Object buffer, int offset, int[] counts, int[] displacements, Datatype type) {
        checkBlocks(buffer, offset, counts, displacements, type);
        return type.arrayClass != null
                ? new Dense(type, buffer, offset, null)
                : new Dense(type, buffer, offset, Packing.allocate(type.layout, type.element(), total(counts)));
    }

    /** Brings the received blocks to the program's buffer. */
    void deliver(int[] counts, int[] displacements) {
        if (!copied) {
            return;
        }
        ElementType element = type.element();
        int position = 0;
        for (int rank = 0; rank < counts.length; rank++) {
            int elements = counts[rank] * type.layout.size();
            int at = offset + displacements[rank] * type.layout.extent();
            if (elements > 0) {
                Packing.unpack(type.layout, element, array, position, elements, buffer, at);
            }
            position += elements;
        }
    }

    /** Where the blocks are in {@link #array}. */
    Blocks blocks(int[] counts, int[] displacements) {
        return copied ? Blocks.packed(counts, type.itemBytes) : Blocks.of(counts, displacements, type.itemBytes);
    }

    static int total(int[] counts) {
        int total = 0;
        for (int count : counts) {
            total = Math.addExact(total, count);
        }
        return total;
    }

    static void checkBlocks(Object buffer, int offset, int[] counts, int[] displacements, Datatype type) {
        type.check(buffer, offset, 0);
        for (int rank = 0; rank < counts.length; rank++) {
            if (counts[rank] != 0) {
                long at = offset + (long) displacements[rank] * type.layout.extent();
                if (at != (int) at) {
                    throw Errors.wrong(
                            ErrorClass.ARG, "displacement " + displacements[rank] + " is not within the buffer");
                }
                type.check(buffer, (int) at, counts[rank]);
            }
        }
    }

    /** The first {@code ranks} elements of an array with one for each rank. */
    static int[] perRank(int @Nullable [] values, int ranks, String what) {
        if (values == null || values.length < ranks) {
            throw Errors.wrong(
                    ErrorClass.ARG,
                    "there must be " + ranks + " " + what + ", one for each rank, but there are "
                            + (values == null ? "none" : String.valueOf(values.length)));
        }
        return values.length == ranks ? values : Arrays.copyOf(values, ranks);
    }
}
