package org.galerna.link.counters;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32;
import org.galerna.link.process.OwnLog;

/**
 * The folders of a user's jobs on this host: {@code galerna-jobs-<user number>} in {@code /dev/shm}, or in the folder for
 * temporary files where there is none, with one folder for each job. Nobody else can enter.
 *
 * <p>A rank that leaves in good order removes its file, and the last one the folder. What processes that were killed have
 * left stays for an hour, so that it can be read, but of no more than {@value #MOST_ENDED} jobs: the user's next job and
 * {@code galerna jobs} remove what is older.
 */
final class CountersFolder {
    private static final Logger LOGGER = OwnLog.of(CountersFolder.class.getName());

    private static final Path IN_MEMORY = Path.of("/dev/shm");
    private static final String PREFIX = "galerna-jobs-";

    private static final Set<PosixFilePermission> OWNER = PosixFilePermissions.fromString("rwx------");
    private static final FileAttribute<Set<PosixFilePermission>> OWNERS = PosixFilePermissions.asFileAttribute(OWNER);

    /** How long the files of a job stay whose processes are gone. */
    private static final Duration KEPT = Duration.ofHours(1);

    private static final int MOST_ENDED = 32;

    private CountersFolder() {}

    /** The user's own; it need not be there. */
    static Path ofUser() throws IOException {
        Path base = Files.isDirectory(IN_MEMORY) && Files.isWritable(IN_MEMORY)
                ? IN_MEMORY
                : Path.of(System.getProperty("java.io.tmpdir", "/tmp"));
        return base.resolve(PREFIX + user());
    }

    private static int user() throws IOException {
        return (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    }

    /** The short name of a job, which people type. */
    static String id(String job) {
        CRC32 sum = new CRC32();
        sum.update(job.getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().toHexDigits((int) sum.getValue());
    }

    /** The folder of a job, which is made if it is not there. */
    static Path make(String job) throws IOException {
        Path ofUser = ofUser();
        makeOwn(ofUser);
        Path folder = ofUser.resolve(id(job));
        if (makeOwn(folder) && hasOthers(ofUser)) {
            removeOld(ofUser);
        }
        return folder;
    }

    /** Whether there is more than one job, as a look that costs next to nothing tells. */
    private static boolean hasOthers(Path ofUser) {
        String[] names = ofUser.toFile().list();
        return names == null || names.length > 1;
    }

    /** True if it was not there. */
    private static boolean makeOwn(Path folder) throws IOException {
        try {
            Files.createDirectory(folder, OWNERS);
            return true;
        } catch (FileAlreadyExistsException there) {
            requireOwn(folder);
            return false;
        }
    }

    /** Fails where somebody else could get at what is in it: in a folder that everybody may write to, that can be anything. */
    static void requireOwn(Path folder) throws IOException {
        PosixFileAttributes found = Files.readAttributes(folder, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        boolean own = (int) Files.getAttribute(folder, "unix:uid", LinkOption.NOFOLLOW_LINKS) == user();
        if (!found.isDirectory() || !own || !found.permissions().equals(OWNER)) {
            throw new IOException(folder + " is no folder that only this user can enter: remove it");
        }
    }

    /** Removes the file of a rank, and the folder of the job if it was the last one. */
    static void remove(Path file) {
        try {
            Files.deleteIfExists(file);
            Files.deleteIfExists(file.toAbsolutePath().getParent());
        } catch (DirectoryNotEmptyException others) {
            return;
        } catch (IOException notNow) {
            LOGGER.log(Level.DEBUG, "cannot remove {0}: {1}", file, notNow.getMessage());
        }
    }

    /** The folder of a job, and when it was changed: asked once, since ranks of it that start or end change it at any moment. */
    private record Job(Path folder, Instant changed) {}

    /** The folders of the user's jobs, those that began last first. */
    static List<Path> jobs(Path ofUser) throws IOException {
        return found(ofUser).stream().map(Job::folder).toList();
    }

    private static List<Job> found(Path ofUser) throws IOException {
        List<Job> found = new ArrayList<>();
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(ofUser)) {
            for (Path folder : folders) {
                if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
                    found.add(new Job(folder, changed(folder))); // anything else is not Galerna's
                }
            }
        } catch (NoSuchFileException none) {
            return List.of();
        }
        found.sort((one, other) -> other.changed().compareTo(one.changed()));
        return found;
    }

    private static Instant changed(Path folder) {
        try {
            return Files.getLastModifiedTime(folder).toInstant();
        } catch (IOException gone) {
            return Instant.EPOCH;
        }
    }

    /** Removes the files of jobs whose processes are gone, by the rule above. */
    static void removeOld(Path ofUser) {
        try {
            Instant latest = Instant.now().minus(KEPT);
            List<Job> jobs = found(ofUser);
            boolean many = jobs.size() > 2 * MOST_ENDED;
            int ended = 0;
            for (Job job : jobs) {
                boolean old = job.changed().isBefore(latest);
                if ((old || many) && !JobReport.isInUse(job.folder()) && (old || ++ended > MOST_ENDED)) {
                    delete(job.folder());
                }
            }
        } catch (IOException | UncheckedIOException notNow) {
            LOGGER.log(Level.DEBUG, "cannot look for files of jobs that have ended: {0}", notNow.getMessage());
        }
    }

    private static void delete(Path job) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(job)) {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
        }
        Files.deleteIfExists(job);
    }
}
