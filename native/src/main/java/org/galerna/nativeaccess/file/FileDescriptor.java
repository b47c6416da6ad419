package org.galerna.nativeaccess.file;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.galerna.nativeaccess.call.CFunction;

/**
 * A file descriptor that this process was given by the one that started it, such as one end of a socket pair: its bytes as
 * streams. One thread may read while another one writes; several that do the same have to take turns. Reading blocks in
 * native code, which an interrupt does not end.
 */
public final class FileDescriptor {
    private static final int INTERRUPTED_CALL = 4; // EINTR
    private static final int LARGEST_TRANSFER = 1 << 16;

    /** Linux' request for the bytes in a pipe. */
    private static final long FIONREAD = 0x541B;

    private static final CFunction READ = CFunction.of("read");
    private static final CFunction WRITE = CFunction.of("write");
    private static final CFunction IOCTL = CFunction.of("ioctl");

    private final int number;

    /** The descriptor of that number; nothing is done with it yet. */
    public FileDescriptor(int number) {
        this.number = number;
    }

    /** What arrives at the descriptor; not buffered, {@code close} does nothing. */
    public InputStream input() {
        return new Input();
    }

    /** What is written goes to the descriptor at once; {@code close} does nothing. */
    public OutputStream output() {
        return new Output();
    }

    /** Bytes that were written to this pipe and that its reader has not taken yet; 0 if it is no pipe. */
    public int unread() {
        try {
            if (!Files.readSymbolicLink(Path.of("/proc/self/fd", String.valueOf(number)))
                    .toString()
                    .startsWith("pipe:")) {
                return 0;
            }
        } catch (IOException notOpen) {
            return 0;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment count = arena.allocate(JAVA_INT);
            int status = (int) IOCTL.call(CFunction.IGNORED, number, FIONREAD, count.address());
            return status == 0 ? count.get(JAVA_INT, 0) : 0;
        }
    }

    private final class Input extends InputStream {
        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            Objects.checkFromIndexSize(offset, length, target.length);
            if (length == 0) {
                return 0;
            }
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment bytes = arena.allocate(Math.min(length, LARGEST_TRANSFER));
                int count = transfer(READ, "read from", bytes, CFunction.state(arena));
                MemorySegment.copy(bytes, JAVA_BYTE, 0, target, offset, count);
                return count == 0 ? -1 : count;
            }
        }
    }

    private final class Output extends OutputStream {
        @Override
        public void write(int value) throws IOException {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] source, int offset, int length) throws IOException {
            Objects.checkFromIndexSize(offset, length, source.length);
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment bytes = arena.allocate(length);
                MemorySegment.copy(source, offset, bytes, JAVA_BYTE, 0, length);
                MemorySegment state = CFunction.state(arena);
                for (long done = 0; done < length; ) {
                    done += transfer(WRITE, "write to", bytes.asSlice(done), state);
                }
            }
        }
    }

    private int transfer(CFunction call, String what, MemorySegment bytes, MemorySegment state) throws IOException {
        while (true) {
            long count = call.call(state, number, bytes.address(), bytes.byteSize());
            if (count >= 0) {
                return (int) count;
            }
            int error = CFunction.errno(state);
            if (error != INTERRUPTED_CALL) {
                throw new IOException(
                        "cannot " + what + " file descriptor " + number + ": " + CFunction.describe(error));
            }
        }
    }
}
