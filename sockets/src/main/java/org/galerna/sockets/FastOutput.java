package org.galerna.sockets;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Socket;
import java.nio.ByteOrder;
import java.util.Objects;
import org.galerna.sockets.connection.Endpoint;
import org.galerna.sockets.connection.FastConnection;
import org.jspecify.annotations.Nullable;

/**
 * Sends arrays of numbers over a socket without serializing them: their bytes go from the array to the memory that the peer
 * reads from. Works with every socket, and the peer gets the same bytes whether or not the connection is fast: the elements
 * one after the other, in the byte order chosen, booleans as bytes of 0 or 1. The other end may read them by
 * {@link FastInput} or in any other way, such as {@link java.io.DataInputStream} for {@link ByteOrder#BIG_ENDIAN}.
 *
 * <p>Bytes appear in the stream in the order of the calls, together with those that are written to the socket's stream. One
 * thread at a time may use an object of this class.
 *
 * <p>The idea, and what to gain, is from Taboada, Touriño and Doallo: Java Fast Sockets (2008).
 */
public final class FastOutput {
    private final @Nullable FastConnection connection;
    private final OutputStream stream;
    private final boolean reversed;
    private final byte[] scratch = new byte[ArrayMemory.SCRATCH];

    private FastOutput(@Nullable FastConnection connection, OutputStream stream, ByteOrder order) {
        this.connection = connection;
        this.stream = stream;
        this.reversed = order != ByteOrder.nativeOrder();
    }

    /**
     * What is sent through a socket that is connected, in the order of most machines, little-endian.
     *
     * @throws IOException if the socket is not connected, or is closed
     */
    public static FastOutput of(Socket socket) throws IOException {
        return of(socket, ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * What is sent through a socket that is connected.
     *
     * @param order of the bytes of an element; the machine's own is the quickest
     * @throws IOException if the socket is not connected, or is closed
     */
    public static FastOutput of(Socket socket, ByteOrder order) throws IOException {
        OutputStream stream = socket.getOutputStream();
        FastConnection connection =
                Endpoint.of(socket).map(Endpoint::connection).orElse(null);
        return new FastOutput(connection, stream, order);
    }

    /**
     * Sends bytes; returns when the array may be changed again.
     *
     * @param offset number of the first element
     * @param length number of elements
     * @throws IndexOutOfBoundsException if the array does not have these elements
     * @throws IOException as a socket's stream
     */
    public void write(byte[] array, int offset, int length) throws IOException {
        send(array, offset, length);
    }

    /** Sends shorts, as {@link #write(byte[], int, int)} bytes. */
    public void write(short[] array, int offset, int length) throws IOException {
        send(array, offset, length);
    }

    /** Sends characters, as {@link #write(byte[], int, int)} bytes. */
    public void write(char[] array, int offset, int length) throws IOException {
        send(array, offset, length);
    }

    /** Sends ints, as {@link #write(byte[], int, int)} bytes. */
    public void write(int[] array, int offset, int length) throws IOException {
        send(array, offset, length);
    }

    /** Sends longs, as {@link #write(byte[], int, int)} bytes. */
    public void write(long[] array, int offset, int length) throws IOException {
        send(array, offset, length);
    }

    /** Sends floats, as {@link #write(byte[], int, int)} bytes. */
    public void write(float[] array, int offset, int length) throws IOException {
        send(array, offset, length);
    }

    /** Sends doubles, as {@link #write(byte[], int, int)} bytes. */
    public void write(double[] array, int offset, int length) throws IOException {
        send(array, offset, length);
    }

    /** Sends booleans, as {@link #write(byte[], int, int)} bytes. */
    public void write(boolean[] array, int offset, int length) throws IOException {
        send(array, offset, length);
    }

    private void send(Object array, int offset, int length) throws IOException {
        if (array instanceof boolean[] flags) {
            Objects.checkFromIndexSize(offset, length, flags.length);
            stream.write(ArrayMemory.toBytes(flags, offset, length));
            return;
        }
        int bytes = ArrayMemory.elementBytes(array);
        MemorySegment memory = ArrayMemory.of(array);
        Objects.checkFromIndexSize(offset, length, (int) (memory.byteSize() / bytes));
        if (reversed && bytes > 1) {
            writeReversed(memory, (long) offset * bytes, (long) length * bytes, bytes);
        } else {
            write(memory, (long) offset * bytes, (long) length * bytes);
        }
    }

    private void writeReversed(MemorySegment memory, long offset, long length, int elementBytes) throws IOException {
        for (long done = 0; done < length; ) {
            int piece = (int) Math.min(length - done, scratch.length);
            MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, offset + done, scratch, 0, piece);
            ArrayMemory.reverse(scratch, piece, elementBytes);
            stream.write(scratch, 0, piece);
            done += piece;
        }
    }

    /**
     * Sends bytes of any memory, as they are.
     *
     * @param offset of the first byte
     * @param length number of bytes
     * @throws IndexOutOfBoundsException if the memory does not have them
     * @throws IOException as a socket's stream
     */
    public void write(MemorySegment memory, long offset, long length) throws IOException {
        Objects.checkFromIndexSize(offset, length, memory.byteSize());
        if (connection != null) {
            connection.write(memory, offset, length, scratch);
            return;
        }
        for (long done = 0; done < length; ) {
            int piece = (int) Math.min(length - done, scratch.length);
            MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, offset + done, scratch, 0, piece);
            stream.write(scratch, 0, piece);
            done += piece;
        }
    }
}
