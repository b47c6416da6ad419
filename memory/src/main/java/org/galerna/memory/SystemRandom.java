package org.galerna.memory;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Random numbers of the operating system, fit for keys. The platform's {@link SecureRandom} takes the same ones where there are
 * any, but prepares all its providers first, which starting ranks have no time for. Any thread may call.
 */
public final class SystemRandom {
    private static final String DEVICE = "/dev/urandom";

    private static final long VERSION = 0xf000;
    private static final long RANDOM_VERSION = 0x4000;
    private static final long VARIANT = 3L << 62;
    private static final long STANDARD_VARIANT = 2L << 62;

    private SystemRandom() {}

    /** So many bytes that nobody can guess. */
    public static byte[] bytes(int count) {
        try (FileInputStream device = new FileInputStream(DEVICE)) {
            byte[] bytes = device.readNBytes(count);
            if (bytes.length == count) {
                return bytes;
            }
        } catch (IOException otherSystem) {
            return ofPlatform(count);
        }
        return ofPlatform(count);
    }

    private static byte[] ofPlatform(int count) {
        byte[] bytes = new byte[count];
        new SecureRandom().nextBytes(bytes);
        return bytes;
    }

    /** As {@link UUID#randomUUID}. */
    public static UUID uuid() {
        ByteBuffer bits = ByteBuffer.wrap(bytes(2 * Long.BYTES));
        return new UUID((bits.getLong() & ~VERSION) | RANDOM_VERSION, (bits.getLong() & ~VARIANT) | STANDARD_VARIANT);
    }

    /** A number of 64 bits in hexadecimal digits, for the name of a file. */
    public static String name() {
        return Long.toHexString(ByteBuffer.wrap(bytes(Long.BYTES)).getLong());
    }

    /** As {@link Files#createTempDirectory}: a new folder that only this user may enter. */
    public static Path folder(Path parent, String prefix) throws IOException {
        Path made = null;
        while (made == null) {
            made = make(parent.resolve(prefix + name()));
        }
        return made;
    }

    /** Null if that name is taken. */
    private static @Nullable Path make(Path folder) throws IOException {
        try {
            return Files.createDirectory(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } catch (FileAlreadyExistsException taken) {
            return null;
        }
    }

    /** As {@link #folder(Path, String)}, in the platform's folder for temporary files. */
    public static Path folder(String prefix) throws IOException {
        return folder(Path.of(System.getProperty("java.io.tmpdir", "/tmp")), prefix);
    }
}
