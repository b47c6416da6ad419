package org.galerna.link.shm.file;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.galerna.link.process.OwnLog;
import org.galerna.nativeaccess.file.PosixFiles;
import org.galerna.nativeaccess.file.SystemCallException;

/**
 * The folder that holds a folder for each job of one user on this host: {@code galerna-<user number>} in
 * {@code /dev/shm}, which nobody else can enter. How it is made and removed while others use it: {@code Admission}.
 */
public final class UserFolder implements AutoCloseable {
    private static final Logger LOGGER = OwnLog.of(UserFolder.class.getName());

    /** System property: where the folders are made; should be in memory. */
    public static final String BASE = "galerna.shm.folder";

    /** Where they are made unless the property says it. */
    public static final String DEFAULT_BASE = "/dev/shm";

    private final PosixFiles files;
    private final Path base;
    private final Path path;
    private final int descriptor;

    private UserFolder(PosixFiles files, Path base, Path path, int descriptor) {
        this.files = files;
        this.base = base;
        this.path = path;
        this.descriptor = descriptor;
    }

    /**
     * Opens the folder, and makes it if it is not there.
     *
     * @throws IOException if it cannot be, or somebody else could get at what is in it
     */
    public static UserFolder open() throws IOException {
        return open(Path.of(System.getProperty(BASE, DEFAULT_BASE)));
    }

    /** As {@link #open()}, in a folder other than that of this process. */
    static UserFolder open(Path base) throws IOException {
        PosixFiles files = PosixFiles.instance()
                .orElseThrow(() -> new IOException(PosixFiles.unavailable().orElseThrow()));
        if (!Files.isDirectory(base)) {
            throw new IOException("there is no folder " + base + " for memory that processes share: name one with -D"
                    + BASE + "=<folder>");
        }
        Path real = base.toRealPath();
        String name = "galerna-" + Integer.toUnsignedString(files.user());
        int parent = files.openFolder(real.toString());
        try {
            Path path = real.resolve(name);
            return new UserFolder(files, real, path, openOrMake(files, parent, name, path));
        } finally {
            files.close(parent);
        }
    }

    /** Opens a folder that is this user's alone, and makes it if it is not there. */
    static int openOrMake(PosixFiles files, int parent, String name, Path path) throws IOException {
        int descriptor = -1;
        while (descriptor < 0) {
            make(files, parent, name, path);
            try {
                descriptor = files.openFolder(parent, name);
            } catch (SystemCallException failed) {
                // one that was there and is not any more was removed by the last to leave it: then it is made anew
                if (failed.errno() != SystemCallException.ENOENT) {
                    throw new IOException(
                            path + " must be a folder, but somebody has put something else there: remove it", failed);
                }
            }
        }
        PosixFiles.Status status = files.status(descriptor);
        if (status.user() != files.user()) {
            files.close(descriptor);
            throw new IOException(path + " belongs to user " + Integer.toUnsignedString(status.user())
                    + " and not to user " + Integer.toUnsignedString(files.user())
                    + ": have it removed, or name another folder with -D" + BASE + "=<folder>");
        }
        if ((status.permissions() & 0077) != 0) {
            files.close(descriptor);
            throw new IOException(path + " can be entered by others (its mode is "
                    + Integer.toOctalString(status.permissions()) + "): run \"chmod 700 " + path + "\", or remove it");
        }
        return descriptor;
    }

    private static void make(PosixFiles files, int parent, String name, Path path) throws IOException {
        try {
            files.makeFolder(parent, name);
        } catch (SystemCallException failed) {
            if (failed.errno() == SystemCallException.ENOENT) {
                throw failed; // the parent has been removed
            }
            if (failed.errno() != SystemCallException.EEXIST) {
                throw new IOException(failed.getMessage() + " in " + path.getParent(), failed);
            }
        }
    }

    PosixFiles files() {
        return files;
    }

    Path path() {
        return path;
    }

    int descriptor() {
        return descriptor;
    }

    /** Removes this folder if there is nothing in it. */
    void removeIfEmpty() {
        try {
            int parent = files.openFolder(base.toString());
            files.removeFolder(parent, path.getFileName().toString());
            files.close(parent);
        } catch (SystemCallException gone) {
            LOGGER.log(Level.DEBUG, "cannot enter {0}: {1}", base, gone.getMessage());
        }
    }

    /** The names of what is in it. */
    List<String> list() {
        String[] names = path.toFile().list();
        return names == null ? List.of() : List.of(names);
    }

    @Override
    public void close() {
        files.close(descriptor);
    }
}
