package org.galerna.sockets.settings;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Arrays;
import java.util.Set;

/** The file with the key that processes on different hosts prove to each other. */
public final class KeyFile {
    public static final int LEAST_BYTES = 16;
    private static final int MOST_BYTES = 4096;
    private static final Set<PosixFilePermission> OWNER =
            Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE);

    private KeyFile() {}

    /**
     * Reads the key: what is in the file, without the ends of lines behind it.
     *
     * @param user whose file it must be
     * @throws IOException if it cannot be read, others could read it, or it is too short, with what to do
     */
    public static byte[] read(Path file, int user) throws IOException {
        String name = "the key file " + file;
        Object owner;
        try {
            owner = Files.getAttribute(file, "unix:uid");
        } catch (NoSuchFileException missing) {
            throw new IOException(
                    name + " does not exist: make one, such as by head -c 32 /dev/urandom, give every host "
                            + "the same one, and name it by -D" + Settings.PREFIX + ".key=<file>");
        }
        if (!owner.equals(user) || !OWNER.containsAll(Files.getPosixFilePermissions(file))) {
            throw new IOException(name + " must belong to user " + Integer.toUnsignedString(user)
                    + " and be closed to all others: chmod 600 " + file);
        }
        if (Files.size(file) > MOST_BYTES) {
            throw new IOException(name + " has more than " + MOST_BYTES + " bytes");
        }
        byte[] bytes = Files.readAllBytes(file);
        int length = bytes.length;
        while (length > 0 && (bytes[length - 1] == '\n' || bytes[length - 1] == '\r')) {
            length--;
        }
        if (length < LEAST_BYTES) {
            throw new IOException(name + " has " + length + " bytes; a key has " + LEAST_BYTES + " at least");
        }
        return Arrays.copyOf(bytes, length);
    }
}
