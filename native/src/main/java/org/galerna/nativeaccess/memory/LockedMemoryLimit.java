package org.galerna.nativeaccess.memory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/** How much memory this process may lock, as the system says. Adapters lock what they reach; the superuser may pass over the limit. */
public final class LockedMemoryLimit {
    /** Of {@link #bytes}: there is no limit. */
    public static final long NONE = Long.MAX_VALUE;

    private static final Path LIMITS = Path.of("/proc/self/limits");
    private static final String LOCKED = "Max locked memory";

    private LockedMemoryLimit() {}

    /** The limit in bytes, or {@link #NONE}; empty if the system does not say. */
    public static OptionalLong bytes() {
        try {
            return of(Files.readAllLines(LIMITS));
        } catch (IOException notLinux) {
            return OptionalLong.empty();
        }
    }

    /** The limit by the lines of {@code /proc/self/limits}. */
    static OptionalLong of(List<String> lines) {
        return lines.stream()
                .filter(line -> line.startsWith(LOCKED))
                .map(line -> line.substring(LOCKED.length()).strip().split("\\s+")[0])
                .mapToLong(limit -> limit.equals("unlimited") ? NONE : Long.parseLong(limit))
                .findFirst();
    }

    /** What a line that says that there is no memory ends with: how much may be locked, and what to do; nothing where there is no limit. */
    public static String hint() {
        return hint(bytes().orElse(NONE));
    }

    static String hint(long limit) {
        return limit == NONE
                ? ""
                : String.format(
                        Locale.ROOT,
                        "; this process may lock %d KiB of memory: if that is too little, have the limit (ulimit -l) raised to"
                                + " unlimited",
                        limit >> 10);
    }
}
