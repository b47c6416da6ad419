package org.galerna.harness;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;

/** Has its own copy of everything that belongs to a rank, tests included; everything below is shared. */
final class RankLoader extends URLClassLoader {
    private static final List<String> OWN = List.of("mpi.", "mpjdev.", "mpjbuf.", "xdev.", "org.galerna.mpj.");

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
        if (OWN.stream().noneMatch(name::startsWith)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : findClass(name);
        }
    }
}
