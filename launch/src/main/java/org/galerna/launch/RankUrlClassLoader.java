package org.galerna.launch;

import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.URLConnection;
import java.net.URLStreamHandlerFactory;
import java.security.CodeSource;
import java.security.cert.Certificate;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import org.galerna.launch.program.ClassNames;
import org.galerna.launch.rank.RankContext;
import org.jspecify.annotations.Nullable;

/**
 * What the classes of ranks use as {@link URLClassLoader}: the classes that it defines are changed as those of the rank
 * itself are, its parent is the class loader of the rank unless there is another one, and its native libraries are the
 * rank's own. Not meant to be used by hand.
 */
public class RankUrlClassLoader extends URLClassLoader {
    static {
        registerAsParallelCapable();
    }

    private final Map<String, Place> places = new ConcurrentHashMap<>();

    /** The archives that are open for this loader. */
    private final Set<JarFile> archives = ConcurrentHashMap.newKeySet();

    /** An archive or a folder. */
    private record Place(CodeSource source, @Nullable Manifest manifest) {}

    /** As {@link URLClassLoader#URLClassLoader(URL[])}. */
    public RankUrlClassLoader(URL[] places) {
        super(places, RankLoading.getSystemClassLoader());
    }

    /** As {@link URLClassLoader#URLClassLoader(URL[], ClassLoader)}. */
    public RankUrlClassLoader(URL[] places, @Nullable ClassLoader parent) {
        super(places, parent);
    }

    /** As {@link URLClassLoader#URLClassLoader(URL[], ClassLoader, URLStreamHandlerFactory)}. */
    public RankUrlClassLoader(URL[] places, @Nullable ClassLoader parent, @Nullable URLStreamHandlerFactory factory) {
        super(places, parent, factory);
    }

    /** As {@link URLClassLoader#URLClassLoader(String, URL[], ClassLoader)}. */
    public RankUrlClassLoader(@Nullable String name, URL[] places, @Nullable ClassLoader parent) {
        super(name, places, parent);
    }

    /** As {@link URLClassLoader#URLClassLoader(String, URL[], ClassLoader, URLStreamHandlerFactory)}. */
    public RankUrlClassLoader(
            @Nullable String name,
            URL[] places,
            @Nullable ClassLoader parent,
            @Nullable URLStreamHandlerFactory factory) {
        super(name, places, parent, factory);
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        String resource = ClassNames.toResource(name);
        URL file = super.findResource(resource);
        if (file == null) {
            return super.findClass(name);
        }
        try {
            URLConnection connection = file.openConnection();
            byte[] content;
            try (InputStream stream = connection.getInputStream()) {
                content = stream.readAllBytes();
            }
            Place place = place(file, resource, connection);
            definePackageOf(name, place);
            byte[] changed = RankLoading.rewritten(content);
            return defineClass(name, changed, 0, changed.length, place.source());
        } catch (IOException unreadable) {
            throw new ClassNotFoundException(name, unreadable);
        }
    }

    private void definePackageOf(String className, Place place) {
        String name = ClassNames.packageOf(className);
        if (name.isEmpty() || getDefinedPackage(name) != null) {
            return;
        }
        try {
            if (place.manifest() == null) {
                definePackage(name, null, null, null, null, null, null, null);
            } else {
                definePackage(name, place.manifest(), place.source().getLocation());
            }
        } catch (IllegalArgumentException alreadyDefined) {
            // by another thread, in between
            return;
        }
    }

    private Place place(URL file, String resource, URLConnection connection) throws IOException {
        String text = file.toString();
        int end = text.lastIndexOf("!/");
        String base = end >= 0 ? text.substring(0, end + 2) : text.substring(0, text.length() - resource.length());
        Place known = places.get(base);
        if (known != null) {
            return known;
        }
        Manifest manifest = null;
        URL location = location(file, base);
        if (connection instanceof JarURLConnection archive) {
            manifest = archive.getManifest();
            if (archive.getUseCaches()) {
                archives.add(archive.getJarFile());
            }
        }
        Place place = new Place(new CodeSource(location, (Certificate[]) null), manifest);
        places.put(base, place);
        return place;
    }

    /** As the JDK names it: the file, if it is an archive in the file system. */
    @SuppressWarnings("deprecation") // the handler is that of another one, which may be the program's own
    private static URL location(URL file, String base) throws IOException {
        String inFileSystem = "jar:file:";
        return base.startsWith(inFileSystem) && base.indexOf("!/") == base.length() - 2
                ? new URL(base.substring("jar:".length(), base.length() - 2))
                : new URL(file, base);
    }

    @Override
    protected @Nullable String findLibrary(String name) {
        RankContext rank = RankContext.exiting();
        return rank == null ? null : rank.libraries().find(name);
    }

    /** Closes what this loader has open, as {@link URLClassLoader#close} does. */
    @Override
    public void close() throws IOException {
        super.close();
        for (JarFile archive : archives) {
            archive.close();
        }
    }
}
