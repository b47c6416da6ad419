package org.galerna.launch.program;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLConnection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import org.galerna.link.process.ClassFileRewriter;
import org.galerna.link.process.GalernaClasses;
import org.jspecify.annotations.Nullable;

/**
 * The class files that every rank of a job loads for itself: those of the program, and those of Galerna's classes whose
 * static fields belong to a rank. Each is read and rewritten once and forgotten when the last rank has it. Any thread
 * may call any method.
 */
public final class ProgramClasses {
    private static final String MPI = "mpi.MPI";

    /** Of all packages of Galerna but those of its API. */
    private static final String GALERNA = "org.galerna.";

    private static final Set<String> PLATFORM_PACKAGES = platformPackages();

    private final ClassPath classPath;
    private final ClassLoader galerna;
    private final UnaryOperator<byte[]> rewriter = ClassFileRewriter.wanted();
    private final CallRedirects redirects = new CallRedirects();
    private final int ranks;
    private final boolean withProgram;
    private final ConcurrentMap<String, Cached> cache = new ConcurrentHashMap<>();

    /** Whether Galerna has a class of that name, of those that are in packages of the API. */
    private final ConcurrentMap<String, Boolean> galernas = new ConcurrentHashMap<>();

    /** A class file that {@code remaining} ranks have not loaded yet. */
    private record Cached(ClassPath.Found found, AtomicInteger remaining) {}

    /**
     * The class files of a job.
     *
     * @param classPath where the program is; stays the caller's to close
     * @param galerna the class loader of Galerna itself
     * @param ranks how many class loaders are going to load from here
     */
    public ProgramClasses(ClassPath classPath, ClassLoader galerna, int ranks) {
        this(classPath, galerna, ranks, true);
    }

    private ProgramClasses(ClassPath classPath, ClassLoader galerna, int ranks, boolean withProgram) {
        this.classPath = classPath;
        this.galerna = galerna;
        this.ranks = ranks;
        this.withProgram = withProgram;
    }

    /** The class files of ranks that run code of another class loader together: of Galerna alone. */
    public static ProgramClasses ofGalerna(ClassLoader code, int ranks) {
        return new ProgramClasses(ClassPath.open(List.of()), code, ranks, false);
    }

    /** True if this class is Galerna's, whatever the program has under that name. Any thread may ask. */
    public boolean isGalernas(String className) {
        return GalernaClasses.isInside(className)
                || (GalernaClasses.isApi(className) && galernas.computeIfAbsent(className, this::isBesideMpi));
    }

    /** Whether the class file is where that of class MPI is; the program may be on the same class path. */
    private boolean isBesideMpi(String className) {
        URL mpi = galerna.getResource(ClassNames.toResource(MPI));
        URL found = galerna.getResource(ClassNames.toResource(className));
        return mpi != null && found != null && placeOf(mpi, MPI).equals(placeOf(found, className));
    }

    private static String placeOf(URL file, String className) {
        String text = file.toString();
        return text.substring(
                0, text.length() - ClassNames.toResource(className).length());
    }

    /** True if all ranks use one copy of this class of Galerna. */
    public boolean isShared(String className) {
        return !GalernaClasses.isPerRank(className) && isGalernas(className);
    }

    /** True if the JDK has this class, if anybody has. */
    public static boolean isPlatform(String className) {
        return PLATFORM_PACKAGES.contains(ClassNames.packageOf(className));
    }

    /**
     * The class file that a rank is to define, to be asked for once per rank; null if there is none, or if it is not
     * for the ranks to define.
     */
    public ClassPath.@Nullable Found classFile(String className) {
        Cached cached = cache.computeIfAbsent(className, this::read);
        if (cached == null) {
            return null;
        }
        if (cached.remaining().decrementAndGet() <= 0) {
            cache.remove(className, cached);
        }
        return cached.found();
    }

    /** The program's folders and archives. */
    public ClassPath classPath() {
        return classPath;
    }

    private @Nullable Cached read(String className) {
        String resource = ClassNames.toResource(className);
        try {
            if (GalernaClasses.isPerRank(className)) {
                ClassPath.Found galernas = readFromGalerna(resource);
                if (galernas != null) {
                    return new Cached(galernas, new AtomicInteger(ranks));
                }
            }
            if (!withProgram) {
                return null;
            }
            ClassPath.Found found = classPath.read(resource);
            if (found == null && !className.startsWith(GALERNA)) {
                // the program may be on the class path of the launcher, which would make one copy for all ranks
                found = readFromGalerna(resource);
            }
            return found == null
                    ? null
                    : new Cached(
                            new ClassPath.Found(
                                    rewriter.apply(redirects.apply(found.bytes())), found.location(), found.manifest()),
                            new AtomicInteger(ranks));
        } catch (IOException unreadable) {
            throw new UncheckedIOException("class " + className + " cannot be read", unreadable);
        }
    }

    private ClassPath.@Nullable Found readFromGalerna(String resource) throws IOException {
        URL address = galerna.getResource(resource);
        if (address == null) {
            return null;
        }
        URLConnection connection = address.openConnection();
        try (InputStream content = connection.getInputStream()) {
            Manifest manifest = connection instanceof JarURLConnection archive ? archive.getManifest() : null;
            return new ClassPath.Found(content.readAllBytes(), codeSource(connection, address, resource), manifest);
        }
    }

    /** The archive or folder that a resource is in. */
    private static URL codeSource(URLConnection connection, URL address, String resource) throws MalformedURLException {
        if (connection instanceof JarURLConnection archive) {
            return archive.getJarFileURL();
        }
        String text = address.toString();
        return text.endsWith(resource)
                ? URI.create(text.substring(0, text.length() - resource.length()))
                        .toURL()
                : address;
    }

    private static Set<String> platformPackages() {
        ClassLoader platform = ClassLoader.getPlatformClassLoader();
        return ModuleLayer.boot().modules().stream()
                .filter(module -> module.getClassLoader() == null || module.getClassLoader() == platform)
                .flatMap(module -> module.getPackages().stream())
                .collect(Collectors.toUnmodifiableSet());
    }
}
