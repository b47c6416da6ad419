package org.galerna.launch;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.URL;
import java.util.Enumeration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.galerna.launch.rank.RankClassLoader;
import org.galerna.launch.rank.RankContext;
import org.jspecify.annotations.Nullable;

/**
 * The system class loader of a JVM whose ranks are threads: to a thread that works for a rank it is the class loader of
 * that rank. Code of the JDK asks it on behalf of ranks, for charsets, handlers of logs and the like; the program's own
 * calls are redirected. It is {@linkplain #install put} in the place of the JDK's own one before the job begins, and not
 * named by {@code java.system.class.loader}: the virtual machine would take no classes from its ahead-of-time cache then.
 *
 * <p>What {@code Class.forName} has found here once, the virtual machine finds here for ever: the JDK's services which
 * are looked for through the system class loader are those of the rank that comes first.
 */
public final class RankSystemLoader extends ClassLoader {
    static {
        registerAsParallelCapable();
    }

    private static final StackWalker WALKER = StackWalker.getInstance();

    /** The option of the virtual machine that lets this be {@linkplain #install put in place}. */
    public static final String OPTION = "--add-opens=java.base/java.lang=ALL-UNNAMED";

    private RankSystemLoader(ClassLoader parent) {
        super("app", parent);
    }

    /**
     * Makes this the system class loader. To be called once, before there are ranks. A virtual machine that was started
     * without {@link #OPTION}, as a benchmark's is, keeps the JDK's own one: its program asks for nothing through it.
     */
    public static void install() {
        if (!ClassLoader.class.getModule().isOpen("java.lang", RankSystemLoader.class.getModule())) {
            return;
        }
        try {
            // no reflection finds this field; the JDK reads it at each call of getSystemClassLoader
            VarHandle field = MethodHandles.privateLookupIn(ClassLoader.class, MethodHandles.lookup())
                    .findStaticVarHandle(ClassLoader.class, "scl", ClassLoader.class);
            field.setVolatile((ClassLoader) new RankSystemLoader(ClassLoader.getSystemClassLoader()));
        } catch (ReflectiveOperationException otherJdk) {
            throw new IllegalStateException("this JDK keeps its system class loader elsewhere", otherJdk);
        }
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
}
