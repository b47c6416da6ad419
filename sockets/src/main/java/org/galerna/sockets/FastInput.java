package org.galerna.sockets;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Socket;
import java.nio.ByteOrder;
import java.util.Objects;
import java.util.Optional;
import org.galerna.sockets.connection.Endpoint;
import org.galerna.sockets.connection.FastConnection;
import org.jspecify.annotations.Nullable;

/**
 * Receives arrays of numbers over a socket, as {@link FastOutput} sends them: their bytes go from the memory that the peer
 * writes to into the array. Works with every socket. One thread at a time may use an object of this class.
 */
public final class FastInput {
    private final @Nullable Endpoint socket;
    private final @Nullable FastConnection connection;
    private final InputStream stream;
    private final boolean reversed;
    private final byte[] scratch = new byte[ArrayMemory.SCRATCH];

    private FastInput(@Nullable Endpoint socket, InputStream stream, ByteOrder order) {
        this.socket = socket;
        this.connection = socket == null ? null : socket.connection();
        this.stream = stream;
        this.reversed = order != ByteOrder.nativeOrder();
    }

    /**
     * What is received through a socket that is connected, little-endian.
     *
     * @throws IOException if the socket is not connected, or is closed
     */
    public static FastInput of(Socket socket) throws IOException {
        return of(socket, ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * What is received through a socket that is connected.
     *
     * @param order of the bytes of an element, as they are sent
     * @throws IOException if the socket is not connected, or is closed
     */
    public static FastInput of(Socket socket, ByteOrder order) throws IOException {
        InputStream stream = socket.getInputStream();
        Optional<Endpoint> implementation = Endpoint.of(socket);
        return new FastInput(implementation.orElse(null), stream, order);
    }

    /**
     * Receives bytes, all that are asked for.
     *
     * @param offset number of the first element
     * @param length number of elements
     * @throws IndexOutOfBoundsException if the array does not have these elements
     * @throws EOFException if the stream ends before that
     * @throws IOException as a socket's stream
     */
    public void read(byte[] array, int offset, int length) throws IOException {
        receive(array, offset, length);
    }

    /** Receives shorts, as {@link #read(byte[], int, int)} bytes. */
    public void read(short[] array, int offset, int length) throws IOException {
        receive(array, offset, length);
    }

    /** Receives characters, as {@link #read(byte[], int, int)} bytes. */
    public void read(char[] array, int offset, int length) throws IOException {
        receive(array, offset, length);
    }

    /** Receives ints, as {@link #read(byte[], int, int)} bytes. */
    public void read(int[] array, int offset, int length) throws IOException {
        receive(array, offset, length);
    }

    /** Receives longs, as {@link #read(byte[], int, int)} bytes. */
    public void read(long[] array, int offset, int length) throws IOException {
        receive(array, offset, length);
    }

    /** Receives floats, as {@link #read(byte[], int, int)} bytes. */
    public void read(float[] array, int offset, int length) throws IOException {
        receive(array, offset, length);
    }

    /** Receives doubles, as {@link #read(byte[], int, int)} bytes. */
    public void read(double[] array, int offset, int length) throws IOException {
        receive(array, offset, length);
    }

    /** Receives booleans, as {@link #read(byte[], int, int)} bytes. */
    public void read(boolean[] array, int offset, int length) throws IOException {
        receive(array, offset, length);
    }

    private void receive(Object array, int offset, int length) throws IOException {
        if (array instanceof boolean[] flags) {
            Objects.checkFromIndexSize(offset, length, flags.length);
            byte[] bytes = new byte[length];
            read(bytes, 0, length);
            ArrayMemory.fromBytes(bytes, flags, offset);
            return;
        }
        int bytes = ArrayMemory.elementBytes(array);
        MemorySegment memory = ArrayMemory.of(array);
        Objects.checkFromIndexSize(offset, length, (int) (memory.byteSize() / bytes));
        read(memory, (long) offset * bytes, (long) length * bytes);
        if (reversed && bytes > 1) {
            reverse(memory, (long) offset * bytes, (long) length * bytes, bytes);
        }
    }

    private void reverse(MemorySegment memory, long offset, long length, int elementBytes) {
        for (long done = 0; done < length; ) {
            int piece = (int) Math.min(length - done, scratch.length);
            MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, offset + done, scratch, 0, piece);
            ArrayMemory.reverse(scratch, piece, elementBytes);
            MemorySegment.copy(scratch, 0, memory, ValueLayout.JAVA_BYTE, offset + done, piece);
            done += piece;
        }
    }

    /**
     * Receives bytes into any memory, all that are asked for.
     *
     * @param offset of the first byte
     * @param length number of bytes
     * @throws IndexOutOfBoundsException if the memory does not have that room
     * @throws EOFException if the stream ends before that
     * @throws IOException as a socket's stream
     */
    public void read(MemorySegment memory, long offset, long length) throws IOException {
        Objects.checkFromIndexSize(offset, length, memory.byteSize());
        for (long done = 0; done < length; ) {
            int count = readSome(memory, offset + done, length - done);
            if (count < 0) {
                throw new EOFException("the stream has ended after " + done + " of " + length + " bytes");
            }
            done += count;
        }
    }

    private int readSome(MemorySegment memory, long offset, long length) throws IOException {
        if (socket != null && connection != null) {
            return connection.read(memory, offset, length, scratch, socket.timeout());
        }
        int count = stream.read(scratch, 0, (int) Math.min(length, scratch.length));
        MemorySegment.copy(scratch, 0, memory, ValueLayout.JAVA_BYTE, offset, Math.max(count, 0));
        return count;
    }
}
