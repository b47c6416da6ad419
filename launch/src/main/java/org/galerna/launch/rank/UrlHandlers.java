package org.galerna.launch.rank;

import java.net.URLStreamHandler;
import java.net.URLStreamHandlerFactory;
import java.net.spi.URLStreamHandlerProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The protocols that a rank reads {@code URL}s of by itself, found as class {@code URL} does: from its factory, from
 * services, from the packages of a system property. Class {@code URL} keeps what it has found for all ranks.
 */
public final class UrlHandlers {
    private static final String PACKAGES = "java.protocol.handler.pkgs";

    /** Those that the JDK always reads itself. */
    private static final Set<String> FIXED = Set.of("file", "jrt");

    private final ClassLoader loader;
    private final Map<String, URLStreamHandler> known = new ConcurrentHashMap<>();
    private volatile @Nullable URLStreamHandlerFactory factory;

    /** Null until they are looked for; guarded by this. */
    private @Nullable List<URLStreamHandlerProvider> providers;

    UrlHandlers(ClassLoader loader) {
        this.loader = loader;
    }

    /**
     * As {@link java.net.URL#setURLStreamHandlerFactory}.
     *
     * @throws Error if there is one already
     */
    public synchronized void setFactory(@Nullable URLStreamHandlerFactory one) {
        if (factory != null) {
            throw new Error("factory already defined");
        }
        known.clear();
        factory = one;
    }

    /** What reads this protocol; null if it is none of the rank's own. */
    public @Nullable URLStreamHandler find(String name) {
        String protocol = name.toLowerCase(Locale.ROOT);
        if (FIXED.contains(protocol)) {
            return null;
        }
        URLStreamHandler handler = known.get(protocol);
        if (handler == null) {
            handler = create(protocol);
            if (handler != null) {
                URLStreamHandler earlier = known.putIfAbsent(protocol, handler);
                handler = earlier == null ? handler : earlier;
            }
        }
        return handler;
    }

    private @Nullable URLStreamHandler create(String protocol) {
        URLStreamHandlerFactory own = factory;
        URLStreamHandler handler = own == null ? null : own.createURLStreamHandler(protocol);
        if (handler == null && !protocol.equals("jar")) {
            handler = ofProviders(protocol);
        }
        return handler == null ? ofPackages(protocol) : handler;
    }

    private synchronized @Nullable URLStreamHandler ofProviders(String protocol) {
        if (providers == null) {
            // a provider that reads a URL while it is made finds those before it
            providers = new ArrayList<>();
            for (URLStreamHandlerProvider each : ServiceLoader.load(URLStreamHandlerProvider.class, loader)) {
                providers.add(each);
            }
        }
        for (URLStreamHandlerProvider each : List.copyOf(providers)) {
            URLStreamHandler handler = each.createURLStreamHandler(protocol);
            if (handler != null) {
                return handler;
            }
        }
        return null;
    }

    private @Nullable URLStreamHandler ofPackages(String protocol) {
        for (String each : System.getProperty(PACKAGES, "").split("\\|")) {
            URLStreamHandler handler = each.isBlank() ? null : ofClass(each.strip() + "." + protocol + ".Handler");
            if (handler != null) {
                return handler;
            }
        }
        return null;
    }

    private @Nullable URLStreamHandler ofClass(String name) {
        try {
            Object made = loader.loadClass(name).getDeclaredConstructor().newInstance();
            return made instanceof URLStreamHandler handler ? handler : null;
        } catch (ReflectiveOperationException unusable) {
            // as class URL does: the next package may have one
            return null;
        }
    }
}
