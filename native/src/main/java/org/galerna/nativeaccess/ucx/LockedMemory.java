package org.galerna.nativeaccess.ucx;

import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.galerna.nativeaccess.library.LibraryFunction;
import org.galerna.nativeaccess.memory.LockedMemoryLimit;

/**
 * Memory that this process may lock. UCX's transports over adapters lock the memory that they receive into. Where they may not, {@code
 * ucp_worker_create} tries for ever (UCX 1.13 to 1.20 post the receives of {@code ud_verbs} in a loop that ends when all are posted),
 * or their messages never leave.
 */
final class LockedMemory {
    /** What a worker and its first connections lock. */
    static final long LEAST = 64L << 20;

    private static final Pattern OVER_ADAPTERS = Pattern.compile("(rc|dc|ud|gga|srd)_\\w+");

    private LockedMemory() {}

    /** Whether a limit is so small that transports over adapters cannot work under it; the superuser may pass over limits. */
    static boolean isShort() {
        return LockedMemoryLimit.bytes().orElse(LockedMemoryLimit.NONE) < LEAST && !mayLock();
    }

    /** Whether the system lets this process lock as much all the same: tried, since nothing else tells it of containers. */
    private static boolean mayLock() {
        SymbolLookup system = Linker.nativeLinker().defaultLookup();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(LEAST);
            if ((int) LibraryFunction.of(system, "mlock").call(memory.address(), LEAST) != 0) {
                return false;
            }
            LibraryFunction.of(system, "munlock").call(memory.address(), LEAST);
            return true;
        }
    }

    /**
     * Fails if there are transports over adapters.
     *
     * @param transports all that UCX may use, each with its devices
     */
    static void refuse(Map<String, ? extends Collection<String>> transports) throws UcxException {
        TreeSet<String> names = new TreeSet<>();
        TreeSet<String> devices = new TreeSet<>();
        transports.forEach((name, of) -> {
            if (OVER_ADAPTERS.matcher(name).matches()) {
                names.add(name);
                devices.addAll(of);
            }
        });
        if (!names.isEmpty()) {
            throw new UcxException(String.format(
                    Locale.ROOT,
                    "UCX: %s on %s need %d MiB of memory that may be locked, and this process may lock less; have the limit"
                            + " (ulimit -l) raised to unlimited, or do without them by UCX_TLS=tcp,sm,self",
                    String.join(", ", names),
                    String.join(", ", devices),
                    LEAST >> 20));
        }
    }
}
