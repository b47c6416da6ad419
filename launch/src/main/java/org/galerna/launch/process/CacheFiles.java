package org.galerna.launch.process;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;

/**
 * The files of {@link AotCache} in the user's folder. The time of a file says when it was last used, to within a day, and those that
 * nobody has used for a month are removed: each path of a {@code galerna.jar} has files of its own, and nobody else misses them when
 * that jar is gone.
 *
 * <p>Another process may take a file at the moment in which this one removes it. What it has opened stays; if it finds none, its ranks
 * start without, and the next job makes the file again.
 */
final class CacheFiles {
    /**
     * All that is kept here for a long time: caches, their drafts, and what those who make them have written; and drafts of the library
     * for calls, whose processes were killed.
     */
    private static final String ALL = "{ranks-*,profiled-*,threads-*,calls-*.tmp}";

    /** How long a file stays that nobody uses. */
    static final Duration KEPT = Duration.ofDays(30);

    private static final Duration NOTED_AGAIN = Duration.ofDays(1);

    private CacheFiles() {}

    /**
     * Notes that a file is used now. The time of a file that cannot be changed stays.
     *
     * @return whether it is there
     */
    static boolean use(Path file) throws IOException {
        try {
            if (isOlder(file, NOTED_AGAIN)) {
                Files.setLastModifiedTime(file, FileTime.from(Instant.now()));
            }
            return true;
        } catch (NoSuchFileException removed) {
            return false;
        } catch (IOException unchangeable) {
            return Files.exists(file);
        }
    }

    /** Removes what nobody has used for {@link #KEPT}. Only for the one process that makes a file at this moment. */
    static void removeUnused(Path folder) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, ALL)) {
            for (Path each : files) {
                removeUnusedFile(each);
            }
        }
    }

    private static void removeUnusedFile(Path file) {
        try {
            if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) && isOlder(file, KEPT)) {
                Files.deleteIfExists(file);
            }
        } catch (IOException another) {
            // the user has removed it, or may not: neither keeps anybody from making a cache
            return;
        }
    }

    private static boolean isOlder(Path file, Duration age) throws IOException {
        return Files.getLastModifiedTime(file)
                .toInstant()
                .isBefore(Instant.now().minus(age));
    }
}
