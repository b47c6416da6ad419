package org.galerna.nativeaccess.ofi;

import static java.lang.foreign.ValueLayout.ADDRESS;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.galerna.nativeaccess.library.LibraryFunction;
import org.galerna.nativeaccess.library.NativeLibrary;
import org.galerna.nativeaccess.library.OptionalLibrary;

/** The library {@code libfabric.so.1}. Loaded when it is asked for; safe for use by many threads. */
public final class OfiLibrary {
    /** File name of the library. */
    public static final String LIBRARY = "libfabric.so.1";

    /** System property: the library, if it is none of the system's; a path. Read once. */
    public static final String PROPERTY = "galerna.ofi.library";

    /** Version of the interface that is asked for, and oldest version of the library that is used. */
    static final int MAJOR = 1;

    static final int MINOR = 17;

    private static final int MAJOR_SHIFT = 16;
    private static final int INTERFACE = MAJOR << MAJOR_SHIFT | MINOR;

    private static final OptionalLibrary<OfiLibrary> SHARED = new OptionalLibrary<>(
            LIBRARY,
            PROPERTY,
            "package libfabric1, Red Hat in libfabric",
            "libfabric " + MAJOR + "." + MINOR + " or later",
            OfiLibrary::new);

    final LibraryFunction openFabric;
    private final LibraryFunction getInfo;
    private final LibraryFunction freeInfo;
    private final LibraryFunction describe;
    private final String version;

    private OfiLibrary(SymbolLookup library) {
        int found = (int) LibraryFunction.of(library, "fi_version").call(0);
        int major = found >>> MAJOR_SHIFT;
        int minor = found & 0xffff;
        this.version = major + "." + minor;
        if (major < MAJOR || (major == MAJOR && minor < MINOR)) {
            throw new NoSuchElementException("it has version " + version);
        }
        this.getInfo = LibraryFunction.of(library, "fi_getinfo");
        this.freeInfo = LibraryFunction.of(library, "fi_freeinfo");
        this.openFabric = LibraryFunction.of(library, "fi_fabric");
        this.describe = LibraryFunction.of(library, "fi_strerror");
    }

    /**
     * The library.
     *
     * @throws UnsatisfiedLinkError if it cannot be loaded; the message says why
     */
    public static OfiLibrary open() {
        return SHARED.open();
    }

    /** Why the library cannot be used, in one sentence; empty if it can. */
    public static Optional<String> unavailable() {
        return SHARED.unavailable("libfabric is");
    }

    /** Version of the library, such as {@code 1.17}. */
    public String version() {
        return version;
    }

    /** What there is to communicate by, in the order of the library, which puts the fastest first. */
    public List<OfiProvider> providers() throws OfiException {
        List<OfiProvider> providers = new ArrayList<>();
        try (Arena arena = Arena.ofConfined();
                OfiInfo first = find(arena, OfiInfo.hints(arena))) {
            for (OfiInfo each = first.exists() ? first : null; each != null; each = each.next()) {
                OfiProvider provider = each.provider();
                if (!providers.contains(provider)) {
                    providers.add(provider);
                }
            }
        }
        return List.copyOf(providers);
    }

    /** What the library knows that fits; an empty one if there is nothing. */
    OfiInfo find(Arena arena, MemorySegment hints) throws OfiException {
        MemorySegment result = arena.allocate(ADDRESS);
        long status =
                NativeLibrary.keepingSignals(() -> getInfo.call(INTERFACE, 0, 0, 0, hints.address(), result.address()));
        if (-(int) status == OfiLayout.NO_DATA) {
            return OfiInfo.NONE;
        }
        check("fi_getinfo", status);
        return new OfiInfo(this, result.get(ADDRESS, 0).address());
    }

    void free(long info) {
        freeInfo.call(info);
    }

    /** libfabric's words for a number of a reason. */
    @SuppressWarnings("restricted") // the text is the library's own
    public String describe(int number) {
        return MemorySegment.ofAddress(describe.call(Math.abs(number)))
                .reinterpret(Long.MAX_VALUE)
                .getString(0);
    }

    /** Fails if the status of a call is an error. */
    void check(String call, long status) throws OfiException {
        if ((int) status < 0) {
            throw new OfiException(call, describe((int) status), (int) status);
        }
    }
}
