package org.galerna.launch.meeting;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.galerna.nativeaccess.cache.CacheFolder;

/**
 * Where rank 0 leaves an {@link Invitation}: a file of this user that nobody else can read, in a folder that nobody else can change.
 * One that an earlier job has left behind is replaced, and leads nowhere before. Those of killed jobs whose names do not come again are
 * removed after a month.
 */
public final class MeetingFile {
    private static final Path OWN_PROCESS = Path.of("/proc/self");
    private static final Set<PosixFilePermission> OF_OTHERS_WRITING =
            Set.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);

    /** In no name of a file that is complete. */
    private static final String UNFINISHED = ".invitation~";

    /** Longer than any job waits for its ranks. */
    private static final Duration KEPT = Duration.ofDays(30);

    private static final long LONGEST = 1 << 16;

    private final Path folder;
    private final Path file;

    private MeetingFile(Path folder, Path file) {
        this.folder = folder;
        this.file = file;
    }

    /**
     * The file of a job.
     *
     * @param folder made if it is not there
     * @param job its name, unique among those that run
     * @throws IOException if others than this user may change the folder
     */
    public static MeetingFile of(Path folder, String job) throws IOException {
        CacheFolder.ofThisUserAlone(folder);
        requireOwn(folder.toRealPath());
        if (Files.getPosixFilePermissions(folder).stream().anyMatch(OF_OTHERS_WRITING::contains)) {
            throw new IOException("others than this user may write to " + folder + ": chmod go-w " + folder);
        }
        return new MeetingFile(folder, folder.resolve(job.replaceAll("[^A-Za-z0-9._-]", "_")));
    }

    private static void requireOwn(Path path) throws IOException {
        Object owner = Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS);
        if (!owner.equals(Files.getAttribute(OWN_PROCESS, "unix:uid"))) {
            throw new IOException(path + " belongs to another user");
        }
    }

    /** Leaves an invitation. */
    void leave(Invitation invitation) throws IOException {
        removeOld();
        // all of it or nothing: others read while this one writes
        Path unfinished = file.resolveSibling(file.getFileName() + UNFINISHED);
        Files.deleteIfExists(unfinished);
        Files.createFile(
                unfinished, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.write(unfinished, invitation.encode());
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private void removeOld() {
        Instant latest = Instant.now().minus(KEPT);
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path each : files) {
                BasicFileAttributes seen =
                        Files.readAttributes(each, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
                boolean old = seen.isRegularFile()
                        && seen.lastModifiedTime().toInstant().isBefore(latest);
                if (old && (each.toString().endsWith(UNFINISHED) || isInvitation(each, seen.size()))) {
                    Files.deleteIfExists(each);
                }
            }
        } catch (IOException | DirectoryIteratorException another) {
            // removed by another job; the next one looks again
            return;
        }
    }

    /** The folder may be one that the user has other files in. */
    private static boolean isInvitation(Path file, long size) throws IOException {
        try {
            if (size > LONGEST) {
                return false;
            }
            Invitation unused = Invitation.decode(Files.readAllBytes(file));
            return true;
        } catch (IllegalArgumentException somethingElse) {
            return false;
        }
    }

    /** What rank 0 has left; empty if there is nothing, or something else. */
    Optional<Invitation> find() throws IOException {
        try (var in = Files.newInputStream(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
            requireOwn(file);
            return Optional.of(Invitation.decode(in.readAllBytes()));
        } catch (NoSuchFileException notYet) {
            return Optional.empty();
        } catch (IllegalArgumentException ofAnotherVersion) {
            return Optional.empty();
        }
    }

    /** Nobody else is to come. */
    void remove() {
        try {
            Files.deleteIfExists(file);
        } catch (IOException itStays) {
            // it leads nowhere, and the next job of this name replaces it
            return;
        }
    }

    @Override
    public String toString() {
        return file.toString();
    }
}
