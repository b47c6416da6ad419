package org.galerna.nativeaccess.library;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * A library as a file. The system's linker maps what the file's headers say, and the process dies if the file ends before, for
 * example because it was copied in part only. Everything else that is wrong with a file the linker finds out by itself.
 */
final class ElfFile {
    private static final byte[] MAGIC_64_BITS_LITTLE_ENDIAN = {0x7f, 'E', 'L', 'F', 2, 1};
    private static final int HEADER_BYTES = 64;
    private static final int SEGMENTS = 32; // where their headers are (8)
    private static final int SEGMENT_BYTES = 54; // bytes of one of those (2)
    private static final int SEGMENT_COUNT = 56; // how many there are (2)
    private static final int LEAST_SEGMENT_BYTES = 56;
    private static final int TYPE = 0; // of a segment
    private static final int OFFSET = 8;
    private static final int FILE_BYTES = 32;
    private static final int LOADED = 1;

    private ElfFile() {}

    /** Whether a library that is named by a path ends before a segment of it. */
    static boolean isCutShort(String name) {
        if (name.indexOf('/') < 0) {
            return false; // the linker looks for it where packages put it
        }
        try {
            return isCutShort(Path.of(name));
        } catch (IOException | InvalidPathException unreadable) {
            return false; // the linker says why
        }
    }

    private static boolean isCutShort(Path path) throws IOException {
        if (!Files.isRegularFile(path)) {
            return false;
        }
        try (FileChannel file = FileChannel.open(path)) {
            ByteBuffer header = read(file, 0, HEADER_BYTES);
            byte[] magic = new byte[MAGIC_64_BITS_LITTLE_ENDIAN.length];
            header.get(0, magic);
            int each = Short.toUnsignedInt(header.getShort(SEGMENT_BYTES));
            if (!Arrays.equals(magic, MAGIC_64_BITS_LITTLE_ENDIAN) || each < LEAST_SEGMENT_BYTES) {
                return false;
            }
            int count = Short.toUnsignedInt(header.getShort(SEGMENT_COUNT));
            ByteBuffer segments = read(file, header.getLong(SEGMENTS), count * each);
            for (int at = 0; at < count * each; at += each) {
                if (segments.getInt(at + TYPE) == LOADED
                        && segments.getLong(at + OFFSET) + segments.getLong(at + FILE_BYTES) > file.size()) {
                    return true;
                }
            }
            return false;
        } catch (EOFException end) {
            return true;
        }
    }

    private static ByteBuffer read(FileChannel file, long from, int bytes) throws IOException {
        if (from < 0 || from > file.size() - bytes) {
            throw new EOFException();
        }
        ByteBuffer buffer = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        while (buffer.hasRemaining()) {
            if (file.read(buffer, from + buffer.position()) < 0) {
                throw new EOFException();
            }
        }
        return buffer;
    }
}
