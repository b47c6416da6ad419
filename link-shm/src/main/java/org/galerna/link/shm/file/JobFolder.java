package org.galerna.link.shm.file;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import org.galerna.link.process.OwnLog;
import org.galerna.memory.SystemRandom;
import org.galerna.nativeaccess.file.PosixFiles;
import org.galerna.nativeaccess.file.SystemCallException;

/**
 * The folder of one job on this host. A rank may attach several times; the number of the attachment is in front of the
 * name of every file.
 */
public final class JobFolder implements AutoCloseable {
    private static final Logger LOGGER = OwnLog.of(JobFolder.class.getName());

    private static final String BOARD = ".board";
    private static final String UNFINISHED = "~";
    private static final int LONGEST_NAME = 64;

    /** Before the digest of a job's name, and in no {@link #NAME}. */
    private static final String DIGEST = "_";

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9-]+");

    private final PosixFiles files;
    private final Path path;
    private final int descriptor;

    private JobFolder(UserFolder user, String name, int descriptor) {
        this.files = user.files();
        this.path = user.path().resolve(name);
        this.descriptor = descriptor;
    }

    /** Opens the folder of a job that may be dead. */
    static JobFolder open(UserFolder user, String name) throws IOException {
        return new JobFolder(user, name, user.files().openFolder(user.descriptor(), name));
    }

    /**
     * Opens the folder of a job, and makes it if it is not there.
     *
     * @throws SystemCallException with {@code ENOENT} if the user's folder has been removed meanwhile
     */
    public static JobFolder openOrMake(UserFolder user, String job) throws IOException {
        String name = folderName(job);
        int descriptor = UserFolder.openOrMake(
                user.files(), user.descriptor(), name, user.path().resolve(name));
        return new JobFolder(user, name, descriptor);
    }

    /** A name that can be a file's and that two jobs do not have in common. */
    public static String folderName(String job) {
        if (isName(job)) {
            return job;
        }
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(job.getBytes(StandardCharsets.UTF_8));
            String readable = job.replaceAll("[^A-Za-z0-9_-]", "_");
            return readable.substring(0, Math.min(LONGEST_NAME, readable.length()))
                    + DIGEST
                    + HexFormat.of().formatHex(digest, 0, 8);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Whether a job's own name is a file's: the platform's digests take longer to begin with than a folder to open. */
    private static boolean isName(String job) {
        return job.length() <= LONGEST_NAME && NAME.matcher(job).matches();
    }

    public static String board(int attachment) {
        return attachment + BOARD;
    }

    /** A name for a file that is not complete, which nobody else uses. */
    static String unfinished(String file) {
        return file.concat(UNFINISHED).concat(SystemRandom.name());
    }

    public static String ring(int attachment, int from, int to, int number) {
        return attachment + ".frames-" + from + "-" + to + "." + number;
    }

    public static String queue(int attachment, int owner) {
        return attachment + ".queue-" + owner;
    }

    public static String transfers(int attachment, int requester, int owner) {
        return attachment + ".transfers-" + requester + "-" + owner;
    }

    public static String memory(int attachment, int owner, int number) {
        return attachment + ".memory-" + owner + "." + number;
    }

    public PosixFiles files() {
        return files;
    }

    public int descriptor() {
        return descriptor;
    }

    /** Where a file is, for messages. */
    public String describe(String file) {
        return path.resolve(file).toString();
    }

    /** Removes a file, if it is there. */
    public void remove(String file) {
        files.remove(descriptor, file);
    }

    /** Whether a file of this name is the one that is open. */
    public boolean leadsTo(String file, int opened) throws IOException {
        int named;
        try {
            named = files.open(descriptor, file);
        } catch (SystemCallException gone) {
            if (gone.errno() == SystemCallException.ENOENT) {
                return false;
            }
            throw gone;
        }
        try {
            PosixFiles.Status one = files.status(named);
            PosixFiles.Status other = files.status(opened);
            return one.inode() == other.inode() && one.device() == other.device();
        } finally {
            files.close(named);
        }
    }

    /**
     * Removes what an attachment that nobody has any more has left, its board last, and the folders if nothing else is in
     * them. The caller has the whole lock of that board.
     */
    public void removeAttachment(UserFolder user, int attachment) {
        removeFiles(board(attachment));
        removeFolders(user);
    }

    private void removeFiles(String board) {
        String prefix = board.substring(0, board.length() - BOARD.length()) + ".";
        for (String file : list()) {
            if (file.startsWith(prefix) && !file.equals(board)) {
                remove(file);
            }
        }
        remove(board);
    }

    private void removeFolders(UserFolder user) {
        if (files.removeFolder(user.descriptor(), path.getFileName().toString())) {
            user.removeIfEmpty();
        }
    }

    /**
     * Removes the folders of jobs of which no process lives any more, and that of the user if nothing else is in it.
     *
     * @param base the folder in which that of the user is
     */
    public static void removeDead(Path base) {
        try (UserFolder user = UserFolder.open(base)) {
            removeDead(user, "");
            user.removeIfEmpty();
        } catch (IOException nothingToBeRemoved) {
            LOGGER.log(Level.DEBUG, "cannot remove what is left: {0}", nothingToBeRemoved.getMessage());
        }
    }

    /**
     * Removes the folders of jobs of which no process lives any more.
     *
     * @param user who they belong to
     * @param except name of the folder of a job that is just coming
     */
    public static void removeDead(UserFolder user, String except) {
        for (String name : user.list()) {
            if (name.equals(except)) {
                continue;
            }
            try (JobFolder job = open(user, name)) {
                job.removeUnlessInUse(user);
            } catch (IOException keptByTheSystem) {
                LOGGER.log(
                        Level.DEBUG, "cannot remove {0}: {1}", user.path().resolve(name), keptByTheSystem.getMessage());
            }
        }
    }

    /** Removes what no process that lives has attached to, and the folder if nothing else is in it. */
    void removeUnlessInUse(UserFolder user) throws IOException {
        for (String file : list()) {
            if (file.endsWith(BOARD) || file.contains(BOARD + UNFINISHED)) {
                removeUnlessInUse(file);
            }
        }
        removeFolders(user);
    }

    private void removeUnlessInUse(String board) throws IOException {
        int file;
        try {
            file = files.open(descriptor, board);
        } catch (SystemCallException gone) {
            if (gone.errno() == SystemCallException.ENOENT) {
                return;
            }
            throw gone;
        }
        try {
            if (!files.tryLockAll(file) || !leadsTo(board, file)) {
                return;
            }
            if (board.endsWith(BOARD)) {
                removeFiles(board);
            } else {
                remove(board);
            }
        } finally {
            files.close(file); // which gives the lock back
        }
    }

    private List<String> list() {
        String[] names = path.toFile().list();
        return names == null ? List.of() : List.of(names);
    }

    @Override
    public void close() {
        files.close(descriptor);
    }
}
