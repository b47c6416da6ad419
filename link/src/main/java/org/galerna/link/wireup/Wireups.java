package org.galerna.link.wireup;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import org.galerna.link.CommunicationException;
import org.galerna.link.Extensions;
import org.galerna.link.Wireup;

/**
 * Where a rank finds the {@link Wireup} that its launcher has left for it. A rank that is a thread is known by the class
 * loader that holds its own copy of the program. A rank that is a process has one for the whole JVM, found by what the
 * launcher has put into the environment.
 */
public final class Wireups {
    /**
     * System property: name of the {@link WireupProvider} that has to find this process's launcher, {@code none} if the
     * process is to be a job of its own whatever the environment says. By default all are asked.
     */
    public static final String CHOICE = "galerna.wireup";

    private static final String ANY = "auto";
    private static final String NONE = "none";

    // weak keys: a finished job's class loaders must be collectable
    private static final Map<ClassLoader, Wireup> BOUND = new WeakHashMap<>();

    private static final Object DETECTION = new Object();
    private static boolean detected; // guarded by DETECTION, as the next one
    private static Optional<Wireup> ofProcess = Optional.empty();

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

    /**
     * The wire-up bound to {@code loader} or to the nearest of its ancestors, otherwise the {@linkplain #ofProcess one of
     * this process}.
     *
     * @throws CommunicationException if there is a launcher, but it cannot be reached
     */
    public static Optional<Wireup> find(ClassLoader loader) {
        Optional<Wireup> bound = bound(loader);
        return bound.isPresent() ? bound : ofProcess();
    }

    /**
     * The wire-up that a {@link WireupProvider} finds in the environment of this process; empty if it has been started by
     * no launcher. Looked for once.
     *
     * @throws CommunicationException if there is a launcher, but it cannot be reached
     */
    public static Optional<Wireup> ofProcess() {
        synchronized (DETECTION) {
            if (!detected) {
                ofProcess = detect(System.getenv(), System.getProperty(CHOICE, ANY));
                detected = true;
            }
            return ofProcess;
        }
    }

    /**
     * Reads {@link #CHOICE}, so that a wrong value is known before a job starts.
     *
     * @throws CommunicationException if it names no launcher
     */
    public static void checkChoice() {
        String choice = System.getProperty(CHOICE, ANY);
        if (!choice.equals(ANY) && !choice.equals(NONE)) {
            WireupProvider unused = named(choice, providers());
        }
    }

    private static List<WireupProvider> providers() {
        return Extensions.providers(WireupProvider.class)
                .sorted(Comparator.comparingInt(WireupProvider::precedence))
                .toList();
    }

    private static WireupProvider named(String choice, List<WireupProvider> all) {
        return all.stream()
                .filter(provider -> provider.name().equalsIgnoreCase(choice))
                .findFirst()
                .orElseThrow(() -> new CommunicationException("system property " + CHOICE + " must be " + ANY + ", "
                        + NONE
                        + " or one of " + all.stream().map(WireupProvider::name).toList() + ", not \"" + choice
                        + "\""));
    }

    private static Optional<Wireup> detect(Map<String, String> environment, String choice) {
        if (choice.equals(NONE)) {
            return Optional.empty();
        }
        List<WireupProvider> all = providers();
        if (choice.equals(ANY)) {
            return all.stream()
                    .flatMap(provider -> provider.detect(environment).stream())
                    .findFirst();
        }
        WireupProvider chosen = named(choice, all);
        return Optional.of(chosen.detect(environment)
                .orElseThrow(() -> new CommunicationException("system property " + CHOICE + " says " + choice
                        + ", but no such launcher has started this process")));
    }

    private static Optional<Wireup> bound(ClassLoader loader) {
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
