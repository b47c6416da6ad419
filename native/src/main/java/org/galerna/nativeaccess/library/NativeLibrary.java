package org.galerna.nativeaccess.library;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.galerna.nativeaccess.call.CFunction;

/**
 * Loads C libraries in a way that the virtual machine survives: some install signal handlers of their own while they are
 * loaded, or would do so were they not told beforehand that they must not.
 */
public final class NativeLibrary {
    /** What keeps libraries, and those that they load, from taking signals and patching the C library's memory calls. */
    private static final Map<String, String> PRECAUTIONS = Map.of(
            "UCX_ERROR_SIGNALS", "",
            "UCX_DEBUG_SIGNO", "0",
            "UCX_MEM_EVENTS", "n",
            "UCX_WARN_UNUSED_ENV_VARS", "n",
            "IPATH_NO_BACKTRACE", "1");

    /** What libraries shall do unless somebody wants something else of them: what fails is told by those who call them. */
    private static final Map<String, String> PREFERENCES = Map.of(
            "UCX_LOG_LEVEL", "fatal",
            // otherwise shared memory is not used where ends of peers are to be told
            "UCX_MM_ERROR_HANDLING", "y",
            // otherwise ofi_rxm over verbs takes messages that have come on a connection after it has freed it, and
            // posts their
            // receives there again, which ends the process; with shared receives there is another place for them
            "FI_OFI_RXM_USE_SRX", "1");

    /**
     * How libfabric notices that memory has been given back. With the value {@link #PATCHING}, which is its default for adapters, it writes
     * jumps into {@code munmap} and others when a rank comes, and takes them out when the rank leaves. A thread that is inside
     * goes on in the middle of an instruction then, and the process ends. It has to know for a cache of its own, and links have theirs.
     */
    private static final String MONITOR = "FI_MR_CACHE_MONITOR";

    private static final String PATCHING = "memhooks";
    private static final String NO_MONITOR = "disabled";

    private static final int RESOLVE_LATER = 1; // RTLD_LAZY

    private static final CFunction OPEN = CFunction.of("dlopen");
    private static final CFunction LAST_ERROR = CFunction.of("dlerror");
    private static final CFunction SET_VARIABLE = CFunction.of("setenv");

    private NativeLibrary() {}

    /**
     * Loads the first of some libraries that is there, for as long as the process lives. Signal handlers that loading
     * has changed are put back.
     *
     * @param names file names such as {@code libpmix.so.2}, which the system's linker looks for, or paths
     * @return its symbols
     * @throws UnsatisfiedLinkError if none can be loaded; the message has the linker's reasons
     */
    @SuppressWarnings("restricted") // the one purpose of this module
    public static synchronized SymbolLookup open(List<String> names) {
        takePrecautions();
        try (Arena arena = Arena.ofConfined()) {
            SignalHandlers before = SignalHandlers.current(arena);
            StringBuilder reasons = new StringBuilder();
            for (String name : names) {
                if (ElfFile.isCutShort(name)) {
                    reasons.append(reasons.isEmpty() ? "" : "; ").append(name).append(": the file is cut short");
                    continue;
                }
                boolean loaded = load(name);
                before.restore();
                if (loaded) {
                    return SymbolLookup.libraryLookup(name, Arena.global());
                }
                reasons.append(reasons.isEmpty() ? "" : "; ").append(lastError());
            }
            throw new UnsatisfiedLinkError(reasons.toString());
        }
    }

    /**
     * Calls a library that may load further ones. Signal handlers that this has changed are put back.
     */
    public static synchronized long keepingSignals(LongSupplier call) {
        try (Arena arena = Arena.ofConfined()) {
            SignalHandlers before = SignalHandlers.current(arena);
            long result = call.getAsLong();
            before.restore();
            return result;
        }
    }

    private static boolean load(String name) {
        try (Arena arena = Arena.ofConfined()) {
            return OPEN.call(CFunction.IGNORED, arena.allocateFrom(name).address(), RESOLVE_LATER) != 0;
        }
    }

    /** The linker's own words about what this thread has just tried. The JDK would keep them to itself. */
    @SuppressWarnings("restricted") // the text is the C library's own
    private static String lastError() {
        long text = LAST_ERROR.call(CFunction.IGNORED);
        return text == 0
                ? "unknown reason"
                : MemorySegment.ofAddress(text).reinterpret(Long.MAX_VALUE).getString(0);
    }

    private static void takePrecautions() {
        set(PRECAUTIONS, true);
        set(PREFERENCES, false);
        set(Map.of(MONITOR, NO_MONITOR), PATCHING.equals(System.getenv(MONITOR)));
    }

    private static void set(Map<String, String> variables, boolean overwrite) {
        try (Arena arena = Arena.ofConfined()) {
            for (Map.Entry<String, String> each : variables.entrySet()) {
                MemorySegment name = arena.allocateFrom(each.getKey());
                MemorySegment value = arena.allocateFrom(each.getValue());
                SET_VARIABLE.call(CFunction.IGNORED, name.address(), value.address(), overwrite ? 1 : 0);
            }
        }
    }
}
