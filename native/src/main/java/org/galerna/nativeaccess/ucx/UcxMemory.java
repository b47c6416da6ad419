package org.galerna.nativeaccess.ucx;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.galerna.nativeaccess.memory.RegisteredMemory;

/** Memory that peers may read and write by a packed key. Used by the thread that uses its worker. */
public final class UcxMemory implements RegisteredMemory {
    private final UcxWorker worker;
    private final long address;
    private final long length;
    private final long handle;
    private final byte[] key;
    private boolean closed;

    private UcxMemory(UcxWorker worker, long address, long length, long handle, byte[] key) {
        this.worker = worker;
        this.address = address;
        this.length = length;
        this.handle = handle;
        this.key = key;
    }

    /**
     * Registers memory outside the heap.
     *
     * @throws UcxException if UCX or the system refuses
     */
    @SuppressWarnings("restricted") // the library says where the key is and how long
    public static UcxMemory register(UcxWorker worker, long address, long length) throws UcxException {
        UcxLibrary library = worker.library();
        try (Arena ofCall = Arena.ofConfined()) {
            MemorySegment wanted = ofCall.allocate(UcxLayout.ROOM, 8);
            MemorySegment result = ofCall.allocate(ADDRESS);
            MemorySegment size = ofCall.allocate(JAVA_LONG);
            wanted.set(JAVA_LONG, UcxLayout.MAP_MASK, UcxLayout.MAP_FIELD_ADDRESS | UcxLayout.MAP_FIELD_LENGTH);
            wanted.set(JAVA_LONG, UcxLayout.MAP_ADDRESS, address);
            wanted.set(JAVA_LONG, UcxLayout.MAP_LENGTH, length);
            library.check("ucp_mem_map", library.map.call(worker.context(), wanted.address(), result.address()));
            long handle = result.get(JAVA_LONG, 0);
            boolean packed = false;
            try {
                library.check(
                        "ucp_rkey_pack",
                        library.packKey.call(worker.context(), handle, result.address(), size.address()));
                MemorySegment buffer = result.get(ADDRESS, 0);
                byte[] key = buffer.reinterpret(size.get(JAVA_LONG, 0)).toArray(JAVA_BYTE);
                library.releasePackedKey.call(buffer.address());
                packed = true;
                return new UcxMemory(worker, address, length, handle, key);
            } finally {
                if (!packed) {
                    library.unmap.call(worker.context(), handle);
                }
            }
        }
    }

    @Override
    public long address() {
        return address;
    }

    @Override
    public long length() {
        return length;
    }

    /** The packed key; the caller must not change it. */
    public byte[] key() {
        return key;
    }

    /**
     * Unpacks the key of a peer's memory for use by the endpoint to that peer; to be {@linkplain #forget forgotten} later.
     *
     * @throws UcxException if it is none
     */
    public static long unpack(UcxWorker worker, long endpoint, byte[] key) throws UcxException {
        UcxLibrary library = worker.library();
        try (Arena ofCall = Arena.ofConfined()) {
            MemorySegment copy = ofCall.allocate(key.length + (long) UcxLayout.ROOM, 8);
            MemorySegment.copy(key, 0, copy, JAVA_BYTE, 0, key.length);
            MemorySegment result = ofCall.allocate(ADDRESS);
            library.check("ucp_ep_rkey_unpack", library.unpackKey.call(endpoint, copy.address(), result.address()));
            return result.get(JAVA_LONG, 0);
        }
    }

    /** Frees a key that was unpacked; nothing that uses it may be under way. */
    public static void forget(UcxWorker worker, long key) {
        worker.library().destroyKey.call(key);
    }

    /** Starts to read from a peer's memory; what it returns is as for {@link UcxWorker#send}. */
    public static long get(UcxWorker worker, long endpoint, long local, long bytes, long remote, long key) {
        return worker.library().get.call(endpoint, local, bytes, remote, key, worker.parameters());
    }

    /** Starts to write into a peer's memory; it is complete when the local memory is free. */
    public static long put(UcxWorker worker, long endpoint, long local, long bytes, long remote, long key) {
        return worker.library().put.call(endpoint, local, bytes, remote, key, worker.parameters());
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            worker.library().unmap.call(worker.context(), handle);
        }
    }
}
