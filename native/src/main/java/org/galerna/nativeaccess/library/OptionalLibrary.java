package org.galerna.nativeaccess.library;

import static java.lang.foreign.ValueLayout.ADDRESS;

import java.lang.foreign.SymbolLookup;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A C library that not every system has. Loaded when it is first asked for; a failure is remembered, too. Safe for use by many
 * threads.
 *
 * @param <L> what is made of it
 */
public final class OptionalLibrary<L> {
    private final String file;
    private final String property;
    private final String packages;
    private final String versions;
    private final Function<SymbolLookup, L> binding;
    private @Nullable L library; // guarded by this, as the next one
    private @Nullable String obstacle;

    /**
     * It is not loaded yet.
     *
     * @param file name of the library
     * @param property system property with the path of another one; read once
     * @param packages where it comes from, such as {@code package libfabric1, Red Hat in libfabric}
     * @param versions those that fit, such as {@code libfabric 1.17 or later}
     * @param binding finds the functions; may throw a {@link NoSuchElementException} that says what does not fit
     */
    public OptionalLibrary(
            String file, String property, String packages, String versions, Function<SymbolLookup, L> binding) {
        this.file = file;
        this.property = property;
        this.packages = packages;
        this.versions = versions;
        this.binding = binding;
    }

    /**
     * The library.
     *
     * @throws UnsatisfiedLinkError if it cannot be loaded; the message says why
     */
    public synchronized L open() {
        L loaded = library;
        if (loaded != null) {
            return loaded;
        }
        if (obstacle == null) {
            String name = System.getProperty(property, file);
            try {
                loaded = binding.apply(NativeLibrary.open(List.of(name)));
                library = loaded;
                return loaded;
            } catch (UnsatisfiedLinkError missing) {
                obstacle = name + " cannot be loaded (" + missing.getMessage() + "); Debian and Ubuntu have it in the "
                        + packages;
            } catch (NoSuchElementException unfit) {
                obstacle = name + " does not fit: " + unfit.getMessage() + "; " + versions + " is needed";
            }
        }
        throw new UnsatisfiedLinkError(obstacle);
    }

    /**
     * Why the library cannot be used, in one sentence; empty if it can.
     *
     * @param subject what a sentence about other systems begins with, such as {@code libfabric is}
     */
    public Optional<String> unavailable(String subject) {
        if (!System.getProperty("os.name", "").startsWith("Linux") || ADDRESS.byteSize() != Long.BYTES) {
            return Optional.of(subject + " used on 64-bit Linux only");
        }
        if (!OptionalLibrary.class.getModule().isNativeAccessEnabled()) {
            return Optional.of("native access is not granted; start Java with --enable-native-access=ALL-UNNAMED");
        }
        try {
            L unused = open();
            return Optional.empty();
        } catch (UnsatisfiedLinkError missing) {
            return Optional.of(String.valueOf(missing.getMessage()));
        }
    }
}
