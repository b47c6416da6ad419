package org.galerna.launch;

import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.URLStreamHandlerFactory;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.cert.Certificate;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
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

    private static final String IN_ARCHIVE = "!/";
    private static final String ARCHIVE_IN_FILE_SYSTEM = "jar:file:";

    private final Map<String, Place> places = new ConcurrentHashMap<>();

    /**
     * An archive or a folder.
     *
     * @param archive open for this loader alone: what the JDK keeps open for all, another rank may close; null for what is
     *     not in a file
     */
    private record Place(
            CodeSource source,
            @Nullable Manifest manifest,
            @Nullable JarFile archive) {}

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
            Place place = place(file, resource);
            byte[] content = read(file, resource, place);
            definePackageOf(name, place);
            byte[] changed = RankLoading.rewritten(content);
            return defineClass(name, changed, 0, changed.length, place.source());
        } catch (IOException unreadable) {
            throw new ClassNotFoundException(name, unreadable);
        }
    }

    private static byte[] read(URL file, String resource, Place place) throws IOException {
        JarFile archive = place.archive();
        ZipEntry entry = archive == null ? null : archive.getEntry(resource);
        try (InputStream stream =
                archive == null || entry == null ? file.openStream() : archive.getInputStream(entry)) {
            return stream.readAllBytes();
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

    private Place place(URL file, String resource) throws IOException {
        String text = file.toString();
        int end = text.lastIndexOf(IN_ARCHIVE);
        String base = end >= 0
                ? text.substring(0, end + IN_ARCHIVE.length())
                : text.substring(0, text.length() - resource.length());
        Place known = places.get(base);
        if (known != null) {
            return known;
        }
        synchronized (places) {
            known = places.get(base);
            if (known == null) {
                boolean archive = base.startsWith(ARCHIVE_IN_FILE_SYSTEM) && base.indexOf(IN_ARCHIVE) == end;
                known = archive ? archive(file, base) : elsewhere(file, base);
                places.put(base, known);
            }
            return known;
        }
    }

    private static Place archive(URL file, String base) throws IOException {
        URI address;
        try {
            address = new URI(base.substring("jar:".length(), base.length() - IN_ARCHIVE.length()));
        } catch (URISyntaxException notEscaped) {
            return elsewhere(file, base);
        }
        JarFile archive = new JarFile(Path.of(address).toFile(), false, ZipFile.OPEN_READ, JarFile.runtimeVersion());
        return new Place(new CodeSource(address.toURL(), (Certificate[]) null), archive.getManifest(), archive);
    }

    @SuppressWarnings("deprecation") // the handler is that of the other one, which may be the program's own
    private static Place elsewhere(URL file, String base) throws IOException {
        CodeSource source = new CodeSource(new URL(file, base), (Certificate[]) null);
        Manifest manifest = file.openConnection() instanceof JarURLConnection archive ? archive.getManifest() : null;
        return new Place(source, manifest, null);
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
        for (Place place : places.values()) {
            if (place.archive() != null) {
                place.archive().close();
            }
        }
    }
}
