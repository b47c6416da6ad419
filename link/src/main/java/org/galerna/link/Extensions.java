package org.galerna.link;

import java.util.ServiceLoader;
import java.util.stream.Stream;

/**
 * Whether a program may extend Galerna: by links, devices, launchers or settings of its own, which {@link ServiceLoader} finds on
 * the class path. That looks into all archives there, and into all modules of the platform. Who knows that there are none says so, and only
 * what Galerna's own module provides is taken then.
 */
public final class Extensions {
    private static volatile boolean none;

    private Extensions() {}

    /**
     * Says that there are none: for the start of a process in which Galerna is a named module, before anything is looked for. Any
     * thread.
     */
    public static void exclude() {
        none = true;
    }

    /** What provides a service: also on the class path, unless {@linkplain #exclude it is known} that there is nothing. Any thread. */
    public static <S> Stream<S> providers(Class<S> service) {
        // the class loader of Galerna, not the thread's: a rank's own loader need not see what there is
        ServiceLoader<S> found = none
                ? ServiceLoader.load(ModuleLayer.boot(), service)
                : ServiceLoader.load(service, service.getClassLoader());
        return found.stream().map(ServiceLoader.Provider::get);
    }
}
