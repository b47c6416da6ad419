package org.galerna.launch;

import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.List;
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

    /** The options of the virtual machine that make this the system class loader, without a word about it. */
    static final List<String> OPTIONS =
            List.of("-Djava.system.class.loader=org.galerna.launch.RankSystemLoader", "-Xlog:cds=off");

    /**
     * Called by the virtual machine.
     *
     * @param parent the class loader with Galerna on its class path
     */
    public RankSystemLoader(ClassLoader parent) {
        super("app", new URL[0], parent);
    }

    private static @Nullable RankClassLoader ofRank() {
        RankContext rank = RankContext.current();
        return rank == null ? null : rank.loader();
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        RankClassLoader own = ofRank();
        return own == null ? super.loadClass(name, resolve) : own.loadClass(name);
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
