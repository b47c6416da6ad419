package org.galerna.nativeaccess.cache;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** What Galerna keeps for this user from one job to the next. */
public final class CacheFolder {
    private CacheFolder() {}

    /** The folder of this user, as the XDG base directory specification says; made for this user alone if it is not there. */
    public static Path ofUser() throws IOException {
        String cache = System.getenv().getOrDefault("XDG_CACHE_HOME", "");
        Path root = cache.isEmpty() ? Path.of(System.getProperty("user.home", "/"), ".cache") : Path.of(cache);
        return ofThisUserAlone(root.resolve("galerna"));
    }

    /** A folder, made if it is not there so that nobody else may enter it. */
    public static Path ofThisUserAlone(Path folder) throws IOException {
        if (folder.toFile().isDirectory()) {
            return folder; // at nearly each start
        }
        return Files.createDirectories(
                folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
}
