package mpjbuf;

/** The memory of a {@link Buffer}; see {@link BufferFactory}. */
public sealed interface RawBuffer permits ArrayBuffer {
    /** Bytes that fit in. */
    int getCapacity();

    /** Gives the memory up, which is the garbage collector's. */
    void free();
}
