package org.galerna.launch;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.spi.FileSystemProvider;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.galerna.launch.rank.RankContext;
import org.jspecify.annotations.Nullable;

/**
 * What the code of ranks calls where its source opens an archive as a file system by its address. The JVM has one for each
 * address; each rank opens and closes its own. Not meant to be called by hand. Threads that work for no rank get the
 * original.
 */
public final class RankFileSystems {
    private static final String ARCHIVES = "jar";
    private static final String END_OF_FILE = "!/";

    /** By the archive; guarded by this. */
    private final Map<Path, FileSystem> open = new HashMap<>();

    private RankFileSystems() {}

    /** For {@link FileSystems#newFileSystem(URI, Map)}. */
    public static FileSystem newFileSystem(URI address, Map<String, ?> settings) throws IOException {
        return newFileSystem(address, settings, RankLoading.getSystemClassLoader());
    }

    /** For {@link FileSystems#newFileSystem(URI, Map, ClassLoader)}. */
    public static FileSystem newFileSystem(URI address, Map<String, ?> settings, @Nullable ClassLoader loader)
            throws IOException {
        Optional<RankFileSystems> own = ofRank(address);
        return own.isPresent()
                ? own.get().create(archive(address), settings)
                : FileSystems.newFileSystem(address, settings, RankLoading.ownLoader(loader));
    }

    /** For {@link FileSystems#getFileSystem}. */
    public static FileSystem getFileSystem(URI address) {
        return find(address).orElseGet(() -> FileSystems.getFileSystem(address));
    }

    /** For {@link Path#of(URI)}. */
    public static Path of(URI address) {
        return get(address);
    }

    /** For {@link java.nio.file.Paths#get(URI)}. */
    public static Path get(URI address) {
        String text = address.getSchemeSpecificPart();
        int end = text.indexOf(END_OF_FILE);
        return find(address)
                .filter(system -> end >= 0)
                .map(system -> system.getPath(text.substring(end + 1)))
                .orElseGet(() -> Path.of(address));
    }

    private static Optional<RankFileSystems> ofRank(URI address) {
        boolean archive = ARCHIVES.equalsIgnoreCase(address.getScheme())
                && address.getSchemeSpecificPart().startsWith("file:");
        RankContext rank = archive ? RankContext.current() : null;
        return rank == null || rank.isAlone()
                ? Optional.empty()
                : Optional.of(rank.own(RankFileSystems.class, RankFileSystems::new));
    }

    private static Optional<FileSystem> find(URI address) {
        return ofRank(address).flatMap(own -> own.known(archive(address)));
    }

    /** The file of {@code jar:file:/a.jar!/b}. */
    private static Path archive(URI address) {
        String text = address.getRawSchemeSpecificPart();
        int end = text.indexOf(END_OF_FILE);
        Path file = Path.of(URI.create(end < 0 ? text : text.substring(0, end)));
        try {
            return file.toRealPath();
        } catch (IOException absent) {
            return file.toAbsolutePath().normalize();
        }
    }

    private synchronized Optional<FileSystem> known(Path archive) {
        return Optional.ofNullable(open.get(archive)).filter(FileSystem::isOpen);
    }

    private synchronized FileSystem create(Path archive, Map<String, ?> settings) throws IOException {
        if (known(archive).isPresent()) {
            throw new FileSystemAlreadyExistsException(archive.toString());
        }
        FileSystem made = provider().newFileSystem(archive, settings);
        open.put(Files.exists(archive) ? archive.toRealPath() : archive, made);
        return made;
    }

    private static FileSystemProvider provider() {
        return FileSystemProvider.installedProviders().stream()
                .filter(each -> each.getScheme().equalsIgnoreCase(ARCHIVES))
                .findFirst()
                .orElseThrow();
    }
}
