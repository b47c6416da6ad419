package mpjbuf;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.galerna.memory.Buffers;
import org.galerna.mpi.datatype.ElementType;
import org.galerna.mpi.datatype.Layout;
import org.galerna.mpi.datatype.Packing;
import org.galerna.mpi.object.ObjectCodec;
import org.jspecify.annotations.Nullable;

/**
 * Bytes to pack data into and to unpack them from, in the order of packing. Used by one thread at a time.
 *
 * <p>Either {@link mpi.Comm#Pack(Object, int, int, mpi.Datatype, Buffer, int)} and its reverse fill it, or the program
 * does, in sections of elements of one type: {@link #putSectionHeader}, {@code write} or {@code gather} as often as one
 * likes, the next section, {@link #commit}; then {@link #getSectionHeader}, {@code read} or {@code scatter} what was
 * written. A section begins at a multiple of {@value #SECTION_OVERHEAD} bytes with its type and its number of elements,
 * {@value #SECTION_OVERHEAD} bytes together. The elements of {@code source} and {@code dest} are those of an array of the
 * section's type. Objects are serialized and need no room: the buffer grows, as it does for the dynamic types.
 */
public class Buffer {
    /** Bytes of the header of a section. */
    public static final int SECTION_OVERHEAD = 8;

    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, Type.ORDER);
    private static final int TYPE = 0;
    private static final int ELEMENTS = 4;

    private final ArrayBuffer memory;
    private final int offset;
    private int capacity;
    private int size;

    /** Where the next byte is written or read. */
    private int position;

    private @Nullable Type type;
    private int header;

    /** Elements of the section: written so far, or left to be read. */
    private int elements;

    /** Objects of the section, which are serialized together. */
    private final List<@Nullable Object> objects = new ArrayList<>();

    /** An empty buffer for {@code capacity} bytes. */
    public Buffer(int capacity) {
        this(BufferFactory.create(capacity), 0, capacity);
    }

    /**
     * An empty buffer in the given memory.
     *
     * @param offset bytes at the beginning that stay as they are
     * @param size bytes of the memory that may be used, those included
     */
    public Buffer(RawBuffer memory, int offset, int size) {
        if (offset < 0 || offset > size || size > memory.getCapacity()) {
            throw new IllegalArgumentException(
                    "bytes " + offset + " to " + size + " are not within memory of " + memory.getCapacity() + " bytes");
        }
        this.memory = (ArrayBuffer) memory;
        this.offset = offset;
        this.capacity = size;
        this.position = offset;
    }

    /** Bytes that fit in. */
    public int getCapacity() {
        return capacity;
    }

    /** Bytes that are in use. */
    public int getSize() {
        return size;
    }

    /** Sets the number of bytes that are in use, 0 to {@link #getCapacity}. */
    public void setSize(int size) {
        if (size < 0 || size > memory.getCapacity()) {
            throw new IllegalArgumentException(
                    "a buffer of " + memory.getCapacity() + " bytes cannot have " + size + " in use");
        }
        this.size = size;
    }

    /** The memory of the buffer. */
    public RawBuffer getStaticBuffer() {
        return memory;
    }

    /** Empties the buffer, to be written again. */
    public void clear() {
        size = 0;
        position = offset;
        type = null;
        objects.clear();
    }

    /** Gives the buffer up; its memory is the garbage collector's. */
    public void free() {
        clear();
    }

    /** The array behind the buffer, for {@code mpi}; another one once objects have made the buffer grow. */
    public byte[] array() {
        return memory.bytes();
    }

    /** What is in the buffer, for {@code mpjdev}. */
    public byte[] contents() {
        return Arrays.copyOfRange(array(), offset, Math.max(offset, size));
    }

    /** Fills the buffer with what another one had in it, to be committed and read; for {@code mpjdev}. */
    public void contents(byte[] received) {
        clear();
        int end = Math.addExact(offset, received.length);
        capacity = Math.max(capacity, end);
        memory.growTo(capacity);
        System.arraycopy(received, 0, array(), offset, received.length);
        Arrays.fill(array(), end, capacity, (byte) 0); // no sections of an earlier message behind it
        size = end;
    }

    // ---- sections

    /** Begins a section. */
    public void putSectionHeader(Type type) throws BufferException {
        endSection();
        header = aligned(position);
        position = header;
        reserve(SECTION_OVERHEAD, type.isDynamic());
        position = header + SECTION_OVERHEAD;
        this.type = type;
        elements = 0;
    }

    /** Ends writing, or receiving: the next thing is to read the first section. */
    public void commit() throws BufferException {
        endSection();
        size = position > offset ? position : Math.max(size, capacity);
        position = offset;
        type = null;
    }

    private void endSection() throws BufferException {
        Type open = type;
        if (open == null) {
            return;
        }
        if (open == Type.OBJECT) {
            byte[] stream = ObjectCodec.ofProgram().toBytes(objects.toArray());
            reserve(Integer.BYTES + stream.length, true);
            INT.set(array(), position, stream.length);
            System.arraycopy(stream, 0, array(), position + Integer.BYTES, stream.length);
            position += Integer.BYTES + stream.length;
            objects.clear();
        }
        INT.set(array(), header + TYPE, open.code());
        INT.set(array(), header + ELEMENTS, elements);
    }

    /**
     * Goes to the next section.
     *
     * @return its type
     */
    public Type getSectionHeader() throws BufferException {
        Type before = type;
        int at = before == null || before == Type.OBJECT ? position : position + elements * before.getSize();
        header = aligned(at);
        if (header + SECTION_OVERHEAD > size) {
            throw new BufferException("there is no further section in a buffer of " + size + " bytes");
        }
        int code = (int) INT.get(array(), header + TYPE);
        Type found = Arrays.stream(Type.values())
                .filter(each -> each.code() == code)
                .findFirst()
                .orElseThrow(() -> new BufferException("there is no section at byte " + header));
        elements = (int) INT.get(array(), header + ELEMENTS);
        position = header + SECTION_OVERHEAD;
        type = found;
        if (found == Type.OBJECT) {
            deserialize();
        } else if (elements < 0 || (long) elements * found.getSize() > size - position) {
            throw damaged();
        }
        return found;
    }

    private void deserialize() throws BufferException {
        if (position + Integer.BYTES > size) {
            throw damaged();
        }
        int length = (int) INT.get(array(), position);
        position += Integer.BYTES;
        if (length < 0 || length > size - position || elements < 0 || elements > length) {
            throw damaged();
        }
        byte[] stream = Arrays.copyOfRange(array(), position, position + length);
        objects.clear();
        objects.addAll(Arrays.asList(ObjectCodec.ofProgram().fromBytes(stream, elements)));
        position += length;
    }

    private BufferException damaged() {
        return new BufferException("the section at byte " + header + " says that it has " + elements
                + " elements, which are not in a buffer of " + size + " bytes");
    }

    /** Number of elements of the section that are still to be read. */
    public int getSectionSize() {
        return elements;
    }

    // ---- elements

    /** Appends {@code numEls} elements to the section. */
    public void write(Object source, int srcOff, int numEls) throws BufferException {
        put(layout(), source, srcOff, numEls);
    }

    /** Appends the elements at {@code indexes[offs]} to {@code indexes[offs + numEls - 1]} to the section. */
    public void gather(Object source, int numEls, int offs, int[] indexes) throws BufferException {
        put(indexed(numEls, offs, indexes), source, 0, 1);
    }

    /**
     * Appends a block of an array of {@code rank} dimensions to the section.
     *
     * @param exts where in {@code indexes} the extents of the block begin
     * @param strs where in {@code indexes} the distances of neighbours begin, in elements
     */
    public void strGather(Object source, int srcOff, int rank, int exts, int strs, int[] indexes)
            throws BufferException {
        put(strided(rank, exts, strs, indexes), source, srcOff, 1);
    }

    /** Takes {@code numEls} elements from the section. */
    public void read(Object dest, int dstOff, int numEls) throws BufferException {
        take(layout(), dest, dstOff, numEls);
    }

    /** As {@link #gather}, the other way. */
    public void scatter(Object dest, int numEls, int offs, int[] indexes) throws BufferException {
        take(indexed(numEls, offs, indexes), dest, 0, 1);
    }

    /** As {@link #strGather}, the other way. */
    public void strScatter(Object dest, int dstOff, int rank, int exts, int strs, int[] indexes)
            throws BufferException {
        take(strided(rank, exts, strs, indexes), dest, dstOff, 1);
    }

    private void put(Layout layout, Object source, int at, int count) throws BufferException {
        Type open = checked(layout, source, at, count);
        int more = Math.multiplyExact(layout.size(), count);
        Object packed = Packing.pack(layout, open.element(), source, at, count);
        if (open == Type.OBJECT) {
            objects.addAll(Arrays.asList((@Nullable Object[]) packed));
        } else {
            int bytes = Math.multiplyExact(more, open.getSize());
            reserve(bytes, open.isDynamic());
            MemorySegment.copy(Buffers.segment(packed), 0, MemorySegment.ofArray(array()), position, bytes);
            position += bytes;
        }
        elements += more;
    }

    private void take(Layout layout, Object dest, int at, int count) throws BufferException {
        Type open = checked(layout, dest, at, count);
        int wanted = Math.multiplyExact(layout.size(), count);
        if (wanted > elements) {
            throw new BufferException("the section has " + elements + " elements of " + open + " left, not " + wanted);
        }
        Object packed = Packing.allocate(layout, open.element(), count);
        if (open == Type.OBJECT) {
            List<@Nullable Object> first = objects.subList(0, wanted);
            System.arraycopy(first.toArray(), 0, packed, 0, wanted);
            first.clear();
        } else {
            int bytes = wanted * open.getSize();
            MemorySegment.copy(MemorySegment.ofArray(array()), position, Buffers.segment(packed), 0, bytes);
            position += bytes;
        }
        Packing.unpack(layout, open.element(), packed, 0, wanted, dest, at);
        elements -= wanted;
    }

    private Type checked(Layout layout, Object array, int at, int count) throws BufferException {
        Type open = open();
        ElementType element = open.element();
        if (!element.isArray(array)) {
            throw new BufferException("the elements of the section are " + open + ", not those of a "
                    + array.getClass().getTypeName());
        }
        if (count < 0 || !layout.fits(element.length(array), at, count)) {
            throw new BufferException("the elements are not within an array of " + element.length(array));
        }
        return open;
    }

    private Type open() throws BufferException {
        Type open = type;
        if (open == null) {
            throw new BufferException("there is no section yet; call putSectionHeader or getSectionHeader first");
        }
        return open;
    }

    private Layout layout() throws BufferException {
        return Layout.of(open().element());
    }

    private Layout indexed(int count, int from, int[] indexes) throws BufferException {
        int[] ones = new int[count];
        long[] places = new long[count];
        Arrays.fill(ones, 1);
        Arrays.setAll(places, i -> indexes[from + i]);
        return layout().indexed(ones, places);
    }

    /** Blocks of blocks, the last dimension innermost. */
    private Layout strided(int rank, int extents, int strides, int[] indexes) throws BufferException {
        Layout layout = layout();
        for (int dimension = rank - 1; dimension >= 0; dimension--) {
            layout = layout.vector(indexes[extents + dimension], 1, indexes[strides + dimension]);
        }
        return layout;
    }

    /** Makes sure that bytes fit in; only objects make the buffer grow. */
    private void reserve(int bytes, boolean growing) throws BufferException {
        int end = Math.addExact(position, bytes);
        if (growing) {
            capacity = Math.addExact(capacity, bytes);
            memory.growTo(capacity);
        } else if (end > capacity) {
            throw new BufferException(
                    "a buffer of " + capacity + " bytes has no room for " + bytes + " bytes at byte " + position);
        }
    }

    private int aligned(int at) {
        return offset + (at - offset + SECTION_OVERHEAD - 1) / SECTION_OVERHEAD * SECTION_OVERHEAD;
    }
}
