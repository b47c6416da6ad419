package org.galerna.link.settings;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;

/** Text files with keys and passwords. Not all users of the host may read them. */
public final class SecretFile {
    private SecretFile() {}

    /**
     * The lines of such a file.
     *
     * @param contents what is in it, such as {@code the keys}
     * @throws IOException if it cannot be read, or if every user can read it; the message names the file and says what to do
     */
    public static List<String> lines(Path file, String contents) throws IOException {
        try {
            if (file.getFileSystem().supportedFileAttributeViews().contains("posix")
                    && Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_READ)) {
                throw new IOException(
                        "all users of this host can read " + contents + " in " + file + ": chmod o-r " + file);
            }
            return Files.readAllLines(file);
        } catch (NoSuchFileException missing) {
            throw new IOException("there is no file " + file + " with " + contents, missing);
        } catch (AccessDeniedException denied) {
            throw new IOException("you may not read " + contents + " in " + file, denied);
        }
    }
}
