package org.galerna.link.shm;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import org.galerna.nativeaccess.PosixFiles;

/**
 * The folder of one job on this host. A rank may attach several times; the number of the attachment is in front of the
 * name of every file.
 */
final class JobFolder implements AutoCloseable {
    private static final String BOARD = ".board";
    private static final int LONGEST_NAME = 64;

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

    /** Opens the folder of a job, and makes it if it is not there; inside the user folder's lock. */
    static JobFolder openOrMake(UserFolder user, String job) throws IOException {
        String name = folderName(job);
        int descriptor = UserFolder.openOrMake(
                user.files(), user.descriptor(), name, user.path().resolve(name));
        return new JobFolder(user, name, descriptor);
    }

    /** A name that can be a file's and that two jobs do not have in common. */
    static String folderName(String job) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(job.getBytes(StandardCharsets.UTF_8));
            String readable = job.replaceAll("[^A-Za-z0-9_-]", "_");
            return readable.substring(0, Math.min(LONGEST_NAME, readable.length())) + "-"
                    + HexFormat.of().formatHex(digest, 0, 8);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    static String board(int attachment) {
        return attachment + BOARD;
    }

    static String ring(int attachment, int from, int to, int number) {
        return attachment + ".frames-" + from + "-" + to + "." + number;
    }

    static String transfers(int attachment, int requester, int owner) {
        return attachment + ".transfers-" + requester + "-" + owner;
    }

    static String memory(int attachment, int owner, int number) {
        return attachment + ".memory-" + owner + "." + number;
    }

    PosixFiles files() {
        return files;
    }

    int descriptor() {
        return descriptor;
    }

    /** Where a file is, for messages. */
    String describe(String file) {
        return path.resolve(file).toString();
    }

    /** Removes a file, if it is there. */
    void remove(String file) {
        files.remove(descriptor, file);
    }

    /** Removes what an attachment that nobody has any more has left, and the folders if nothing else is in them. */
    void removeAttachment(UserFolder user, int attachment) throws IOException {
        for (String file : list()) {
            if (file.startsWith(attachment + ".")) {
                remove(file);
            }
        }
        if (files.removeFolder(user.descriptor(), path.getFileName().toString())) {
            user.removeIfEmpty();
        }
    }

    /** Removes the folder with everything in it, unless a process that lives has attached; inside the lock. */
    void removeUnlessInUse(UserFolder user) throws IOException {
        List<String> contents = list();
        for (String file : contents) {
            if (file.endsWith(BOARD) && isInUse(file)) {
                return;
            }
        }
        contents.forEach(this::remove);
        files.removeFolder(user.descriptor(), path.getFileName().toString());
    }

    private boolean isInUse(String board) throws IOException {
        int file = files.open(descriptor, board);
        try {
            return files.isLockedByOthers(file, 0, 0);
        } finally {
            files.close(file);
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
