package org.galerna.link;

import java.util.ServiceLoader;
import java.util.stream.Stream;

/**
 * Finds the links, devices, launchers and settings of Galerna, and those of a program. {@link ServiceLoader} looks for these on the class
 * path: into all archives there, and into all modules of the platform. Where a program has none, {@link #exclude} says so, and only what
 * Galerna's own module provides is taken.
 */
public final class Extensions {
    private static volatile boolean none;

    private Extensions() {}

    /**
     * Says that the program has none: for the start of a process in which Galerna is a named module, before anything is looked for. Any
     * thread.
     */
    public static void exclude() {
        none = true;
    }

    /** What provides a service, on the class path, too, unless the program's are {@linkplain #exclude excluded}. Any thread. */
    public static <S> Stream<S> providers(Class<S> service) {
        // the class loader of Galerna, not the thread's: a rank's own loader need not see what there is
        ServiceLoader<S> found = none
                ? ServiceLoader.load(ModuleLayer.boot(), service)
                : ServiceLoader.load(service, service.getClassLoader());
        return found.stream().map(ServiceLoader.Provider::get);
    }
}
