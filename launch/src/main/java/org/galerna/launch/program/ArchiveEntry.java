package org.galerna.launch.program;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Enumeration;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * An archive of class files, multi-release ones included. Signatures are not looked at: the launcher changes some
 * classes while it loads them.
 */
record ArchiveEntry(
        Path path, URL location, JarFile archive, @Nullable Manifest manifest) implements ClassPathEntry {
    private static final String VERSIONS = "META-INF/versions/";

    static ArchiveEntry open(Path path) throws IOException {
        JarFile archive = new JarFile(path.toFile(), false, ZipFile.OPEN_READ, JarFile.runtimeVersion());
        try {
            return new ArchiveEntry(path, path.toUri().toURL(), archive, archive.getManifest());
        } catch (IOException unreadable) {
            archive.close();
            throw unreadable;
        }
    }

    /** The archives and folders that the manifest's {@code Class-Path} names; they need not exist. */
    List<Path> classPathOfManifest() {
        String value = manifest == null ? null : manifest.getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
        if (value == null) {
            return List.of();
        }
        URI base = path.toUri();
        return Arrays.stream(value.trim().split("\\s+"))
                .filter(address -> !address.isEmpty())
                .map(base::resolve)
                .filter(address -> "file".equals(address.getScheme()))
                .map(Path::of)
                .toList();
    }

    @Override
    public @Nullable URL find(String resource) {
        JarEntry entry = archive.getJarEntry(resource);
        if (entry == null) {
            return null;
        }
        try {
            String name = new URI(null, null, "/" + entry.getRealName(), null).getRawPath();
            return URI.create("jar:" + location + "!" + name).toURL();
        } catch (URISyntaxException | MalformedURLException noAddress) {
            return null;
        }
    }

    @Override
    public @Nullable InputStream open(String resource) throws IOException {
        ZipEntry entry = archive.getJarEntry(resource);
        return entry == null || entry.isDirectory() ? null : archive.getInputStream(entry);
    }

    @Override
    public List<String> classNames(int limit) {
        return archive.stream()
                .limit(limit)
                .map(ZipEntry::getName)
                .filter(name -> name.endsWith(".class") && !name.startsWith("META-INF/"))
                .map(ClassNames::ofResource)
                .toList();
    }

    @Override
    public boolean mayHave(List<String> beginnings, int most) {
        if (archive.size() > most) {
            return true;
        }
        Enumeration<JarEntry> entries = archive.entries();
        while (entries.hasMoreElements()) {
            String name = withoutVersion(entries.nextElement().getName());
            for (String beginning : beginnings) {
                if (name.startsWith(beginning)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** The name of a file without the release that it is for. */
    private static String withoutVersion(String name) {
        return name.startsWith(VERSIONS) ? name.substring(name.indexOf('/', VERSIONS.length()) + 1) : name;
    }

    @Override
    public void close() throws IOException {
        archive.close();
    }

    static boolean isArchiveName(String name) {
        return name.regionMatches(true, name.length() - 4, ".jar", 0, 4) && !name.endsWith(File.separator);
    }
}
