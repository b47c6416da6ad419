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
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The class files that every rank of a job loads for itself: those of the program, and those of the {@code mpi}
 * package with what belongs to it. Each is read and rewritten once and forgotten when the last rank has it. Any thread
 * may call any method.
 */
public final class ProgramClasses {
    /** Packages of Galerna with static state that belongs to a rank. They are loaded from Galerna, once per rank. */
    private static final List<String> PER_RANK = List.of("mpi.", "mpjdev.", "mpjbuf.", "xdev.", "org.galerna.mpj.");

    /** Everything below: one copy for all ranks, through which they meet. */
    private static final List<String> SHARED = List.of(
            "org.galerna.memory.",
            "org.galerna.nativeaccess.",
            "org.galerna.link.",
            "org.galerna.device.",
            "org.galerna.collectives.",
            "org.galerna.launch.");

    private static final Set<String> PLATFORM_PACKAGES = platformPackages();

    private final ClassPath classPath;
    private final ClassLoader galerna;
    private final CallRedirects redirects = new CallRedirects();
    private final int ranks;
    private final ConcurrentMap<String, Cached> cache = new ConcurrentHashMap<>();

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
        this.classPath = classPath;
        this.galerna = galerna;
        this.ranks = ranks;
    }

    /** True if all ranks use one copy of this class of Galerna. */
    public static boolean isShared(String className) {
        return startsWithAny(className, SHARED);
    }

    /** True if this class is Galerna's and yet every rank has a copy of its own. */
    public static boolean isGalernaPerRank(String className) {
        return startsWithAny(className, PER_RANK);
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
            ClassPath.Found found = isGalernaPerRank(className) ? readFromGalerna(resource) : null;
            if (found == null) {
                found = classPath.read(resource);
                if (found != null) {
                    found = new ClassPath.Found(redirects.apply(found.bytes()), found.location(), found.manifest());
                }
            }
            return found == null ? null : new Cached(found, new AtomicInteger(ranks));
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
            return new ClassPath.Found(content.readAllBytes(), codeSource(connection, address, resource), null);
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

    private static boolean startsWithAny(String className, List<String> prefixes) {
        for (String prefix : prefixes) {
            if (className.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }

    private static Set<String> platformPackages() {
        ClassLoader platform = ClassLoader.getPlatformClassLoader();
        return ModuleLayer.boot().modules().stream()
                .filter(module -> module.getClassLoader() == null || module.getClassLoader() == platform)
                .flatMap(module -> module.getPackages().stream())
                .collect(Collectors.toUnmodifiableSet());
    }
}
