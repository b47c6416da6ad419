package org.galerna.launch.rank;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.security.SecureClassLoader;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.jar.Attributes;
import java.util.jar.Manifest;
import org.galerna.launch.program.ClassNames;
import org.galerna.launch.program.ClassPath;
import org.galerna.launch.program.ProgramClasses;
import org.jspecify.annotations.Nullable;

/**
 * The name space of one rank: as described for {@code smdev} (Ramos et al., "Design of scalable Java communication
 * middleware for multi-core systems", §3.2.1), every rank loads the program for itself, so that its static state is its own. Of package
 * {@code mpi} that is class {@code MPI} alone, not the whole package as there: what all ranks use together is compiled once
 * and not by each of them. The JDK and the other layers of Galerna are shared too.
 */
public final class RankClassLoader extends SecureClassLoader {
    static {
        registerAsParallelCapable();
    }

    private static final String CLASS_FILE = ".class";

    private final ClassLoader galerna;
    private final ProgramClasses classes;
    private final Map<String, ProtectionDomain> domains = new ConcurrentHashMap<>();
    private volatile @Nullable RankContext context;

    /**
     * A name space for one rank.
     *
     * @param galerna the class loader of Galerna itself, asked for what is shared and for what the program lacks
     */
    public RankClassLoader(ProgramClasses classes, ClassLoader galerna) {
        super(galerna);
        this.classes = classes;
        this.galerna = galerna;
    }

    void belongTo(RankContext rank) {
        context = rank;
    }

    /** The rank whose classes these are; null once its job has ended. */
    @Nullable
    RankContext context() {
        return context;
    }

    void release() {
        context = null;
    }

    /** True if this loader itself has defined a class of that name. */
    public boolean hasDefined(String className) {
        Class<?> known = findLoadedClass(className);
        return known != null && known.getClassLoader() == this;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            if (loaded == null) {
                loaded = isParents(name) ? galerna.loadClass(name) : ownOrParents(name);
            }
            if (resolve) {
                resolveClass(loaded);
            }
            return loaded;
        }
    }

    private boolean isParents(String name) {
        return classes.isShared(name) || ProgramClasses.isPlatform(name);
    }

    private Class<?> ownOrParents(String name) throws ClassNotFoundException {
        ClassPath.Found file = classFile(name);
        return file == null ? galerna.loadClass(name) : define(name, file);
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        ClassPath.Found file = classFile(name);
        if (file == null) {
            throw new ClassNotFoundException(name);
        }
        return define(name, file);
    }

    @Override
    protected @Nullable String findLibrary(String name) {
        RankContext rank = context;
        return rank == null ? null : rank.libraries().find(name);
    }

    @Override
    protected @Nullable Class<?> findClass(@Nullable String module, String name) {
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            try {
                return loaded == null ? findClass(name) : loaded;
            } catch (ClassNotFoundException notThere) {
                return null;
            }
        }
    }

    @Override
    protected @Nullable URL findResource(@Nullable String module, String name) {
        return module == null ? findResource(name) : classes.classPath().findIn(module, name);
    }

    private ClassPath.@Nullable Found classFile(String name) throws ClassNotFoundException {
        try {
            return classes.classFile(name);
        } catch (UncheckedIOException unreadable) {
            throw new ClassNotFoundException(name, unreadable.getCause());
        }
    }

    private Class<?> define(String name, ClassPath.Found file) {
        definePackageOf(name, file);
        byte[] bytes = file.bytes();
        return defineClass(
                name,
                bytes,
                0,
                bytes.length,
                domains.computeIfAbsent(file.location().toString(), any -> domain(file.location())));
    }

    private ProtectionDomain domain(URL location) {
        CodeSource source = new CodeSource(location, (Certificate[]) null);
        return new ProtectionDomain(source, getPermissions(source), this, null);
    }

    private void definePackageOf(String className, ClassPath.Found file) {
        String name = ClassNames.packageOf(className);
        if (name.isEmpty() || getDefinedPackage(name) != null) {
            return;
        }
        Manifest manifest = file.manifest();
        try {
            definePackage(
                    name,
                    attribute(manifest, name, Attributes.Name.SPECIFICATION_TITLE),
                    attribute(manifest, name, Attributes.Name.SPECIFICATION_VERSION),
                    attribute(manifest, name, Attributes.Name.SPECIFICATION_VENDOR),
                    attribute(manifest, name, Attributes.Name.IMPLEMENTATION_TITLE),
                    attribute(manifest, name, Attributes.Name.IMPLEMENTATION_VERSION),
                    attribute(manifest, name, Attributes.Name.IMPLEMENTATION_VENDOR),
                    null);
        } catch (IllegalArgumentException alreadyDefined) {
            // by another thread of the rank, in between
            return;
        }
    }

    private static @Nullable String attribute(@Nullable Manifest manifest, String packageName, Attributes.Name name) {
        if (manifest == null) {
            return null;
        }
        Attributes ofPackage = manifest.getAttributes(packageName.replace('.', '/') + "/");
        String value = ofPackage == null ? null : ofPackage.getValue(name);
        return value == null ? manifest.getMainAttributes().getValue(name) : value;
    }

    @Override
    public @Nullable URL getResource(String name) {
        URL own = findResource(name);
        return own == null ? galerna.getResource(name) : own;
    }

    /** Those of the program; those of Galerna and the JDK only where the program has none of that name. */
    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
        Enumeration<URL> own = findResources(name);
        return own.hasMoreElements() ? own : galerna.getResources(name);
    }

    @Override
    public @Nullable InputStream getResourceAsStream(String name) {
        try {
            InputStream own = isGalernas(name) ? null : classes.classPath().open(name);
            return own == null ? galerna.getResourceAsStream(name) : own;
        } catch (IOException unreadable) {
            return null;
        }
    }

    @Override
    protected @Nullable URL findResource(String name) {
        List<URL> found = isGalernas(name) ? List.of() : classes.classPath().find(name);
        return found.isEmpty() ? null : found.getFirst();
    }

    @Override
    protected Enumeration<URL> findResources(String name) {
        List<URL> found = isGalernas(name) ? List.of() : classes.classPath().find(name);
        return Collections.enumeration(new ArrayList<>(found));
    }

    /** Class files are where their classes are from: a program's copy of the mpi package is not used. */
    private boolean isGalernas(String resource) {
        return resource.endsWith(CLASS_FILE)
                && classes.isGalernas(resource.substring(0, resource.length() - CLASS_FILE.length())
                        .replace('/', '.'));
    }
}
