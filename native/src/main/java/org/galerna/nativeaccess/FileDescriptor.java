package org.galerna.nativeaccess;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

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

    private static final Linker LINKER = Linker.nativeLinker();
    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));
    private static final MethodHandle READ = transfer("read");
    private static final MethodHandle WRITE = transfer("write");
    private static final MethodHandle IOCTL = ioctl();
    private static final MethodHandle DESCRIBE = describe();

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
            int status = (int) IOCTL.invokeExact(number, FIONREAD, count);
            return status == 0 ? count.get(JAVA_INT, 0) : 0;
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
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
                int count = transfer(READ, "read from", bytes, arena.allocate(STATE));
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
                MemorySegment state = arena.allocate(STATE);
                for (long done = 0; done < length; ) {
                    done += transfer(WRITE, "write to", bytes.asSlice(done), state);
                }
            }
        }
    }

    private int transfer(MethodHandle call, String what, MemorySegment bytes, MemorySegment state) throws IOException {
        while (true) {
            long count;
            try {
                count = (long) call.invokeExact(state, number, bytes, bytes.byteSize());
            } catch (Throwable impossible) {
                throw new IllegalStateException(impossible);
            }
            if (count >= 0) {
                return (int) count;
            }
            int error = (int) ERRNO.get(state, 0L);
            if (error != INTERRUPTED_CALL) {
                throw new IOException("cannot " + what + " file descriptor " + number + ": " + describe(error));
            }
        }
    }

    @SuppressWarnings("restricted") // the text is the C library's own
    private static String describe(int error) {
        try {
            MemorySegment text = (MemorySegment) DESCRIBE.invokeExact(error);
            return text.reinterpret(Long.MAX_VALUE).getString(0);
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @SuppressWarnings("restricted") // the one purpose of this module
    private static MethodHandle transfer(String name) {
        return LINKER.downcallHandle(
                LINKER.defaultLookup().findOrThrow(name),
                FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG),
                Linker.Option.captureCallState("errno"));
    }

    @SuppressWarnings("restricted") // the one purpose of this module
    private static MethodHandle ioctl() {
        return LINKER.downcallHandle(
                LINKER.defaultLookup().findOrThrow("ioctl"),
                FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS),
                Linker.Option.firstVariadicArg(2));
    }

    @SuppressWarnings("restricted") // the one purpose of this module
    private static MethodHandle describe() {
        return LINKER.downcallHandle(
                LINKER.defaultLookup().findOrThrow("strerror"), FunctionDescriptor.of(ADDRESS, JAVA_INT));
    }
}
