package org.galerna.link;

import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;

/**
 * Where a launcher leaves the {@link Wireup} of a rank, and where the rank finds it. A rank that is a thread is known
 * by the class loader that holds its own copy of the program; a rank that is a process has one for the whole JVM.
 */
public final class Wireups {
    // weak keys: a finished job's class loaders must be collectable
    private static final Map<ClassLoader, Wireup> BOUND = new WeakHashMap<>();

    private Wireups() {}

    /** Binds a wire-up to the class loader of a rank, replacing an earlier one. */
    public static void bind(ClassLoader loader, Wireup wireup) {
        synchronized (BOUND) {
            BOUND.put(loader, wireup);
        }
    }

    /** Forgets the wire-up of a class loader; no effect if there is none. */
    public static void unbind(ClassLoader loader) {
        synchronized (BOUND) {
            BOUND.remove(loader);
        }
    }

    /** The wire-up bound to {@code loader} or to the nearest of its ancestors. */
    public static Optional<Wireup> find(ClassLoader loader) {
        synchronized (BOUND) {
            for (ClassLoader each = loader; each != null; each = each.getParent()) {
                Wireup wireup = BOUND.get(each);
                if (wireup != null) {
                    return Optional.of(wireup);
                }
            }
            return Optional.empty();
        }
    }
}
