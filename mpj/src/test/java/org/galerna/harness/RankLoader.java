package org.galerna.harness;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;
import java.util.Set;
import mpi.Environment;

/** Has its own copy of the classes with static fields that belong to a rank, and of the tests; the rest is shared. */
final class RankLoader extends URLClassLoader {
    private static final Set<String> OWN = Set.of("mpi.MPI", "mpjdev.MPJDev");
    private static final String INSIDE = "mpi.Inside";
    private static final List<String> PACKAGES = List.of("mpi.", "mpjdev.", "mpjbuf.", "xdev.");
    private static final URL SHARED =
            Environment.class.getProtectionDomain().getCodeSource().getLocation();

    RankLoader(int rank) {
        super("rank-" + rank, classPath(), RankLoader.class.getClassLoader());
    }

    private static URL[] classPath() {
        return List.of(System.getProperty("java.class.path").split(File.pathSeparator)).stream()
                .map(RankLoader::url)
                .toArray(URL[]::new);
    }

    private static URL url(String entry) {
        try {
            return new File(entry).toURI().toURL();
        } catch (MalformedURLException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!isOwn(name)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : findClass(name);
        }
    }

    private static boolean isOwn(String name) {
        if (OWN.contains(name)) {
            return true;
        }
        URL file = RankLoader.class.getClassLoader().getResource(name.replace('.', '/') + ".class");
        return PACKAGES.stream().anyMatch(name::startsWith)
                && !name.equals(INSIDE)
                && file != null
                && !file.toString().contains(SHARED.toString());
    }
}
