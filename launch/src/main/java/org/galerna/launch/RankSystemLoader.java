package org.galerna.launch;

import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.galerna.launch.rank.RankClassLoader;
import org.galerna.launch.rank.RankContext;
import org.jspecify.annotations.Nullable;

/**
 * The system class loader of a JVM whose ranks are threads: to a thread that works for a rank it is the class loader of
 * that rank. Code of the JDK asks it on behalf of ranks, for charsets, handlers of logs and the like; the program's own
 * calls are redirected. The virtual machine is told of it by {@link #OPTIONS}.
 *
 * <p>What {@code Class.forName} has found here once, the virtual machine finds here for ever: the JDK's services which
 * are looked for through the system class loader are those of the rank that comes first.
 */
public final class RankSystemLoader extends URLClassLoader {
    static {
        registerAsParallelCapable();
    }

    private static final StackWalker WALKER = StackWalker.getInstance();

    /** The options of the virtual machine that make this the system class loader, without a word about it. */
    public static final List<String> OPTIONS =
            List.of("-Djava.system.class.loader=org.galerna.launch.RankSystemLoader", "-Xlog:cds=off");

    /**
     * Called by the virtual machine.
     *
     * @param parent the class loader with Galerna on its class path
     */
    public RankSystemLoader(ClassLoader parent) {
        super("app", new URL[0], parent);
    }

    /** What the virtual machine was given for a name, by the name. */
    private final Map<String, Class<?>> given = new ConcurrentHashMap<>();

    private static @Nullable RankClassLoader ofRank() {
        RankContext rank = RankContext.current();
        return rank == null ? null : rank.loader();
    }

    @Override
    public Class<?> loadClass(String name) throws ClassNotFoundException {
        return loadClass(name, false);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        RankClassLoader own = ofRank();
        if (own == null) {
            return super.loadClass(name, resolve);
        }
        if (!isAskedByTheVirtualMachine()) {
            return own.loadClass(name);
        }
        Class<?> known = given.get(name);
        if (known == null) {
            Class<?> loaded = own.loadClass(name);
            // of two ranks that come at once, both get what the first one puts here
            Class<?> earlier = given.putIfAbsent(name, loaded);
            known = earlier == null ? loaded : earlier;
        }
        return known;
    }

    /**
     * Whether the call comes from {@code Class.forName}, whose answers the virtual machine keeps: another one for the same
     * name is an error to it.
     */
    private static boolean isAskedByTheVirtualMachine() {
        String here = RankSystemLoader.class.getName();
        return WALKER.walk(
                frames -> frames.dropWhile(frame -> frame.getClassName().equals(here))
                        .findFirst()
                        .map(frame -> frame.getClassName().equals("java.lang.Class"))
                        .orElse(true));
    }

    @Override
    public @Nullable URL getResource(String name) {
        RankClassLoader own = ofRank();
        return own == null ? super.getResource(name) : own.getResource(name);
    }

    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
        RankClassLoader own = ofRank();
        return own == null ? super.getResources(name) : own.getResources(name);
    }

    @Override
    public @Nullable InputStream getResourceAsStream(String name) {
        RankClassLoader own = ofRank();
        return own == null ? super.getResourceAsStream(name) : own.getResourceAsStream(name);
    }

    /** Called by the virtual machine when an agent is loaded while it runs. */
    @SuppressWarnings({"unused", "UnusedMethod"})
    private void appendToClassPathForInstrumentation(String archive) throws MalformedURLException {
        addURL(Path.of(archive).toUri().toURL());
    }
}
