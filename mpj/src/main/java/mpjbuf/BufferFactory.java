package mpjbuf;

/** Makes the memory of buffers. */
public abstract class BufferFactory {
    private BufferFactory() {}

    /** Memory of {@code capacity} bytes, zeroed. */
    public static RawBuffer create(int capacity) {
        return new ArrayBuffer(capacity);
    }

    /** Gives memory up, which is the garbage collector's. */
    public static void destroy(RawBuffer memory) {
        memory.free();
    }
}
