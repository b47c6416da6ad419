package org.galerna.nativeaccess.pmix;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.galerna.nativeaccess.library.NativeLibrary;
import org.galerna.nativeaccess.library.SignalHandlers;

/**
 * The client side of PMIx, {@code libpmix.so.2}: how a process that Open MPI's {@code mpirun}, PRRTE or Slurm has started
 * meets the others of its job. The sizes and offsets are those of PMIx 3 to 5 on 64-bit systems.
 *
 * <p>Any thread may call; {@link #fence} and {@link #get} block in native code, which an interrupt does not end.
 */
public final class Pmix {
    /** File name of the library. */
    public static final String LIBRARY = "libpmix.so.2";

    /**
     * {@snippet lang=c :
     * struct pmix_proc  { char nspace[256]; uint32_t rank; };                      // 260 bytes
     * struct pmix_value { uint16_t type; union { uint32_t u; bytes bo; … } data; }; // 32 bytes, data at 8
     * struct bytes      { char *bytes; size_t size; };
     * struct pmix_info  { char key[512]; uint32_t flags; struct pmix_value value; };// 552 bytes
     * }
     */
    private static final int NAMESPACE_BYTES = 256;

    private static final int PROC_BYTES = 260;
    private static final int VALUE_BYTES = 32;
    private static final int VALUE_DATA = 8;
    private static final int KEY_BYTES = 512;
    private static final int INFO_BYTES = 552;
    private static final int INFO_VALUE = 520;

    private static final short TYPE_BOOL = 1;
    private static final short TYPE_UINT32 = 14;
    private static final short TYPE_BYTE_OBJECT = 27;
    private static final byte SCOPE_GLOBAL = 3;
    private static final int EVERY_RANK = -2;
    private static final int SUCCESS = 0;

    private final MethodHandle init;
    private final MethodHandle finish;
    private final MethodHandle put;
    private final MethodHandle commit;
    private final MethodHandle fence;
    private final MethodHandle get;
    private final MethodHandle abort;
    private final MethodHandle describe;
    private final MethodHandle free;

    private Pmix(SymbolLookup library) {
        FunctionDescriptor infos = FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG);
        this.init = bind(library, "PMIx_Init", infos.insertArgumentLayouts(0, ADDRESS));
        this.finish = bind(library, "PMIx_Finalize", infos);
        this.put = bind(library, "PMIx_Put", FunctionDescriptor.of(JAVA_INT, JAVA_BYTE, ADDRESS, ADDRESS));
        this.commit = bind(library, "PMIx_Commit", FunctionDescriptor.of(JAVA_INT));
        this.fence =
                bind(library, "PMIx_Fence", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG));
        this.get = bind(
                library, "PMIx_Get", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS));
        this.abort =
                bind(library, "PMIx_Abort", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG));
        this.describe = bind(library, "PMIx_Error_string", FunctionDescriptor.of(ADDRESS, JAVA_INT));
        this.free = bind(Linker.nativeLinker().defaultLookup(), "free", FunctionDescriptor.ofVoid(ADDRESS));
    }

    /**
     * Loads the library.
     *
     * @param names where to look for it, the first place first
     * @throws UnsatisfiedLinkError if it is at none of them; the message has the linker's reasons
     */
    public static Pmix open(List<String> names) {
        return new Pmix(NativeLibrary.open(names));
    }

    /** A process as PMIx names it. */
    public record Member(String namespace, int rank) {}

    /**
     * Joins the job; to be called once.
     *
     * @return who this process is
     * @throws IOException if no server of the job manager answers
     */
    public Member init() throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment self = arena.allocate(PROC_BYTES, 8);
            // it loads its components now
            SignalHandlers before = SignalHandlers.current(arena);
            check("PMIx_Init", invoke(() -> (int) init.invokeExact(self, MemorySegment.NULL, 0L)));
            before.restore();
            return new Member(self.getString(0), self.get(JAVA_INT, NAMESPACE_BYTES));
        }
    }

    /** The number of processes in the job of {@code member}. */
    public int jobSize(Member member) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = find(arena, new Member(member.namespace, EVERY_RANK), "pmix.job.size", TYPE_UINT32);
            int size = value.get(JAVA_INT, VALUE_DATA);
            invoke(() -> {
                free.invokeExact(value);
                return SUCCESS;
            });
            return size;
        }
    }

    /** Publishes bytes of this process, seen by the others after {@link #commit} and {@link #fence}. */
    public void put(String key, byte[] bytes) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocate(VALUE_BYTES, 8);
            value.set(JAVA_SHORT, 0, TYPE_BYTE_OBJECT);
            value.set(ADDRESS, VALUE_DATA, arena.allocateFrom(JAVA_BYTE, bytes));
            value.set(JAVA_LONG, VALUE_DATA + ADDRESS.byteSize(), bytes.length);
            MemorySegment name = key(arena, key);
            check("PMIx_Put", invoke(() -> (int) put.invokeExact(SCOPE_GLOBAL, name, value)));
        }
    }

    /** Hands what has been put to the job manager. */
    public void commit() throws IOException {
        check("PMIx_Commit", invoke(() -> (int) commit.invokeExact()));
    }

    /** Waits for all processes of the job, and collects what they have committed. */
    public void fence() throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment collect = yes(arena, "pmix.collect");
            check("PMIx_Fence", invoke(() -> (int) fence.invokeExact(MemorySegment.NULL, 0L, collect, 1L)));
        }
    }

    /** What {@code member} has published under {@code key} before the last {@link #fence}. */
    public byte[] get(Member member, String key) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = find(arena, member, key, TYPE_BYTE_OBJECT);
            MemorySegment bytes = value.get(ADDRESS, VALUE_DATA);
            long length = value.get(JAVA_LONG, VALUE_DATA + ADDRESS.byteSize());
            byte[] copy = sized(bytes, length).toArray(JAVA_BYTE);
            invoke(() -> {
                free.invokeExact(bytes);
                free.invokeExact(value);
                return SUCCESS;
            });
            return copy;
        }
    }

    /** Ends all processes of the job, this one too. */
    public void abort(int status, String reason) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocateFrom(reason);
            check("PMIx_Abort", invoke(() -> (int) abort.invokeExact(status, text, MemorySegment.NULL, 0L)));
        }
    }

    /** Leaves the job; to be called once, and nothing after it. */
    public void finish() throws IOException {
        check("PMIx_Finalize", invoke(() -> (int) finish.invokeExact(MemorySegment.NULL, 0L)));
    }

    private MemorySegment find(Arena arena, Member member, String key, short type) throws IOException {
        MemorySegment owner = arena.allocate(PROC_BYTES, 8);
        owner.setString(0, member.namespace);
        owner.set(JAVA_INT, NAMESPACE_BYTES, member.rank);
        MemorySegment name = key(arena, key);
        // what a rank that is gone has never published must not be waited for
        MemorySegment atOnce = yes(arena, "pmix.immediate");
        MemorySegment place = arena.allocate(ADDRESS);
        check("PMIx_Get of " + key, invoke(() -> (int) get.invokeExact(owner, name, atOnce, 1L, place)));
        MemorySegment value = sized(place.get(ADDRESS, 0), VALUE_BYTES);
        if (value.get(JAVA_SHORT, 0) != type) {
            throw new IOException("PMIx_Get of " + key + " has found a value of type " + value.get(JAVA_SHORT, 0)
                    + " where " + type + " was expected");
        }
        return value;
    }

    private static MemorySegment yes(Arena arena, String key) {
        MemorySegment info = arena.allocate(INFO_BYTES, 8);
        info.setString(0, key, StandardCharsets.US_ASCII);
        info.set(JAVA_SHORT, INFO_VALUE, TYPE_BOOL);
        info.set(JAVA_BYTE, INFO_VALUE + VALUE_DATA, (byte) 1);
        return info;
    }

    /** A key in an array of full length: the library copies all of it. */
    private static MemorySegment key(Arena arena, String key) {
        MemorySegment name = arena.allocate(KEY_BYTES);
        name.setString(0, key, StandardCharsets.US_ASCII);
        return name;
    }

    private void check(String call, int status) throws IOException {
        if (status != SUCCESS) {
            throw new IOException(call + " has failed: " + describe(status));
        }
    }

    private String describe(int status) {
        MemorySegment[] text = new MemorySegment[1];
        invoke(() -> {
            text[0] = (MemorySegment) describe.invokeExact(status);
            return SUCCESS;
        });
        return sized(text[0], Long.MAX_VALUE).getString(0) + " (" + status + ")";
    }

    @SuppressWarnings("restricted") // the library says how long what it gives is
    private static MemorySegment sized(MemorySegment segment, long bytes) {
        return segment.reinterpret(bytes);
    }

    @FunctionalInterface
    private interface Call {
        int run() throws Throwable;
    }

    private static int invoke(Call call) {
        try {
            return call.run();
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @SuppressWarnings("restricted") // the one purpose of this module
    private static MethodHandle bind(SymbolLookup library, String name, FunctionDescriptor function) {
        return Linker.nativeLinker().downcallHandle(library.findOrThrow(name), function);
    }
}
