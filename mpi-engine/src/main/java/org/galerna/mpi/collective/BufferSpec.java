package org.galerna.mpi.collective;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.galerna.collectives.buffer.Blocks;
import org.galerna.device.DeviceException;
import org.galerna.device.ErrorClass;
import org.galerna.memory.Buffers;
import org.galerna.mpi.datatype.Datatype;
import org.galerna.mpi.datatype.ElementType;
import org.galerna.mpi.datatype.InPlace;
import org.galerna.mpi.datatype.Packing;
import org.galerna.mpi.datatype.ProgramBuffer;
import org.galerna.mpi.datatype.Staging;
import org.jspecify.annotations.Nullable;

/**
 * One side of a collective operation: the items that a rank sends or receives, and where they lie in a buffer of the
 * program. They are one block, or one block for each rank. Made from the arguments of a call, which are checked then,
 * before the rank communicates.
 *
 * <p>The collectives work on memory that holds the items side by side. If the program's array does, they get that; if
 * not, a packed copy: {@link #outgoing} or {@link #incoming} says what for, {@link #deliver} brings what has been received
 * to the program's buffer, and {@link #giveBack} ends it. Objects are not staged but serialized, see {@link ObjectCollectives}.
 */
final class BufferSpec {
    final Datatype type;
    final Object buffer;
    final int offset;
    private final int ranks;

    /** BufferSpec of each block, if all have as many. */
    private final int count;

    private final int @Nullable [] counts;
    private final int @Nullable [] displacements;

    private boolean arrayNeeded;

    private boolean copied;

    /** An array for the collectives, once staged. */
    Object array;

    /** Where the data begin in it, in bytes. */
    long start;

    private BufferSpec(
            Object buffer,
            int offset,
            Datatype type,
            int ranks,
            int count,
            int @Nullable [] counts,
            int @Nullable [] displacements) {
        this.buffer = buffer;
        this.array = buffer;
        this.offset = offset;
        this.type = type;
        this.ranks = ranks;
        this.count = count;
        this.counts = counts;
        this.displacements = displacements;
    }

    /** One block of {@code count} items. */
    static BufferSpec of(Object buffer, int offset, int count, @Nullable Datatype type) {
        Datatype given = Datatype.checked(type);
        Object data = ProgramBuffer.behind(buffer, given);
        given.checkMessage(data, offset, count);
        return new BufferSpec(data, offset, given, 1, count, null, null);
    }

    /** As {@link #of}, for an argument that may be in place; null if it is. */
    static @Nullable BufferSpec orInPlace(Object buffer, int offset, int count, @Nullable Datatype type) {
        return buffer instanceof InPlace ? null : of(buffer, offset, count, type);
    }

    /** A block of {@code count} items for each of {@code ranks} ranks, side by side. */
    static BufferSpec forEach(int ranks, Object buffer, int offset, int count, @Nullable Datatype type) {
        Datatype given = Datatype.checked(type);
        if (count < 0) {
            throw new DeviceException(ErrorClass.COUNT, "count must not be negative, it is " + count);
        }
        Object data = ProgramBuffer.behind(buffer, given);
        given.checkMessage(data, offset, Math.multiplyExact(count, ranks));
        return new BufferSpec(data, offset, given, ranks, count, null, null);
    }

    /** A block of its own length for each of {@code ranks} ranks; displacements are in extents of the datatype. */
    static BufferSpec forEach(
            int ranks, Object buffer, int offset, int[] counts, int[] displacements, @Nullable Datatype type) {
        Datatype given = Datatype.checked(type);
        int[] lengths = perRank(counts, ranks, "counts");
        int[] places = perRank(displacements, ranks, "displacements");
        Object data = ProgramBuffer.behind(buffer, given);
        given.checkMessage(data, offset, 0);
        for (int rank = 0; rank < ranks; rank++) {
            if (lengths[rank] != 0) {
                long at = offset + (long) places[rank] * given.layout().extent();
                if (at != (int) at) {
                    throw new DeviceException(
                            ErrorClass.ARG, "displacement " + places[rank] + " is not within the buffer");
                }
                given.checkMessage(data, (int) at, lengths[rank]);
            }
        }
        return new BufferSpec(data, offset, given, ranks, 0, lengths, places);
    }

    /** The first {@code ranks} elements of an array with one for each rank. */
    static int[] perRank(int @Nullable [] values, int ranks, String what) {
        if (values == null || values.length < ranks) {
            throw new DeviceException(
                    ErrorClass.ARG,
                    "there must be " + ranks + " " + what + ", one for each rank, but there are "
                            + (values == null ? "none" : String.valueOf(values.length)));
        }
        return values.length == ranks ? values : Arrays.copyOf(values, ranks);
    }

    static int total(int[] counts) {
        int total = 0;
        for (int count : counts) {
            total = Math.addExact(total, count);
        }
        return total;
    }

    // ---- what they are

    boolean areObjects() {
        return type.isObject();
    }

    /** Whether each rank has a length of its own. */
    boolean areVarying() {
        return counts != null;
    }

    /** BufferSpec of the block of a rank. */
    int count(int rank) {
        return counts == null ? count : counts[rank];
    }

    /** Where the block of a rank begins in the program's buffer, in elements. */
    int offset(int rank) {
        if (count(rank) == 0) {
            return offset;
        }
        int items = displacements == null ? rank * count : displacements[rank];
        return offset + items * type.layout().extent();
    }

    /** Bytes of the block of a rank; not for objects. */
    long length(int rank) {
        return (long) count(rank) * type.itemBytes();
    }

    /** Bytes of every block, if all are equal; not for objects. */
    long length() {
        return (long) count * type.itemBytes();
    }

    /** Number of items in all blocks. */
    int total() {
        return counts == null ? count * ranks : total(counts);
    }

    /** Where the blocks of the ranks are in {@link #array}. */
    Blocks blocks() {
        if (counts == null || displacements == null) {
            return Blocks.uniform(length());
        }
        return copied ? Blocks.packed(counts, type.itemBytes()) : Blocks.of(counts, displacements, type.itemBytes());
    }

    // ---- memory for the collectives

    /** BufferSpec to send. */
    BufferSpec outgoing(Staging staging) {
        return stage(staging, true);
    }

    /** Room for items to receive. */
    BufferSpec incoming(Staging staging) {
        return receiving().stage(staging, false);
    }

    /** Room for items to receive, of which some are there already if nothing is sent (in place). */
    BufferSpec incomingBeside(@Nullable BufferSpec sent, Staging staging) {
        return receiving().stage(staging, sent == null);
    }

    /** BufferSpec to send, in memory of their own. */
    BufferSpec outgoingCopy(Staging staging) {
        pack(staging);
        return this;
    }

    /** For functions of the program, which are given arrays whatever the items lie in. */
    void needArray() {
        arrayNeeded = buffer instanceof MemorySegment;
    }

    /** Whether other items lie in the same buffer and are not the very same. */
    boolean overlapsElsewhere(BufferSpec other) {
        return sharesMemoryWith(other) && (buffer != other.buffer || offset != other.offset);
    }

    /** Whether other items lie in the same buffer, or in memory that is part of it. */
    boolean sharesMemoryWith(BufferSpec other) {
        if (!(buffer instanceof MemorySegment) && !(other.buffer instanceof MemorySegment)) {
            return buffer == other.buffer;
        }
        return Buffers.segment(buffer)
                .asOverlappingSlice(Buffers.segment(other.buffer))
                .isPresent();
    }

    private BufferSpec receiving() {
        if (buffer instanceof MemorySegment segment && segment.isReadOnly()) {
            throw new DeviceException(ErrorClass.BUFFER, "the buffer can only be read");
        }
        return this;
    }

    private BufferSpec stage(Staging staging, boolean filled) {
        if (!arrayNeeded && (counts == null ? type.isBlock(total()) : type.arrayClass() != null)) {
            start = type.startOf(offset);
        } else if (filled) {
            pack(staging);
        } else {
            array = staging.take(type.layout(), type.element(), total());
            copied = true;
        }
        return this;
    }

    private void pack(Staging staging) {
        ElementType element = type.element();
        Object packed = staging.take(type.layout(), element, total());
        if (counts == null) {
            Packing.pack(type.layout(), element, buffer, offset, total(), packed, 0);
        } else {
            int position = 0;
            for (int rank = 0; rank < ranks; rank++) {
                if (counts[rank] > 0) {
                    Packing.pack(type.layout(), element, buffer, offset(rank), counts[rank], packed, position);
                }
                position += counts[rank] * type.layout().size();
            }
        }
        array = packed;
        start = 0;
        copied = true;
    }

    /** Gives the memory back, once the collective operation is over. */
    void giveBack(Staging staging) {
        if (copied) {
            staging.give(type.elementOfOperation(), array);
            array = buffer;
            copied = false;
        }
    }

    /** Brings all received items to the program's buffer. */
    void deliver() {
        if (counts == null) {
            deliver(total());
        } else if (copied) {
            int position = 0;
            for (int rank = 0; rank < ranks; rank++) {
                int elements = counts[rank] * type.layout().size();
                if (elements > 0) {
                    Packing.unpack(
                            type.layout(), type.elementOfOperation(), array, position, elements, buffer, offset(rank));
                }
                position += elements;
            }
        }
    }

    /** Brings the first {@code items} received items of equal blocks to the program's buffer. */
    void deliver(int items) {
        if (copied) {
            Packing.unpack(
                    type.layout(),
                    type.elementOfOperation(),
                    array,
                    0,
                    items * type.layout().size(),
                    buffer,
                    offset);
        }
    }
}
