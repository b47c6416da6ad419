package org.galerna.messaging.serialization;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/** Objects written into and read from pieces of memory of any lengths. */
final class Pieces {
    private Pieces() {}

    /** The bytes of an object that is written into pieces, whose lengths are given by their numbers. */
    static <T> byte[] write(T value, Serializer<T> serializer, IntUnaryOperator lengths) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        byte[][] piece = {new byte[lengths.applyAsInt(0)]};
        int[] number = {0};
        Exporter out = new Exporter(full -> {
            bytes.write(piece[0], 0, full.written());
            number[0]++;
            piece[0] = new byte[lengths.applyAsInt(number[0])];
            full.begin(piece[0], 0, piece[0].length);
        });
        out.begin(piece[0], 0, piece[0].length);
        serializer.write(value, out);
        bytes.write(piece[0], 0, out.written());
        return bytes.toByteArray();
    }

    /** As {@link #write}, into pieces outside the heap. */
    static <T> byte[] writeOutside(T value, Serializer<T> serializer, IntUnaryOperator lengths) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        MemorySegment[] piece = {Arena.ofAuto().allocate(lengths.applyAsInt(0))};
        int[] number = {0};
        Exporter out = new Exporter(full -> {
            bytes.writeBytes(piece[0].asSlice(0, full.written()).toArray(JAVA_BYTE));
            number[0]++;
            piece[0] = Arena.ofAuto().allocate(lengths.applyAsInt(number[0]));
            full.begin(piece[0], 0, piece[0].byteSize());
        });
        out.begin(piece[0], 0, piece[0].byteSize());
        serializer.write(value, out);
        out.flush();
        bytes.writeBytes(piece[0].asSlice(0, out.written()).toArray(JAVA_BYTE));
        return bytes.toByteArray();
    }

    /** The object that is read from bytes in pieces. */
    static <T> T read(byte[] bytes, Serializer<T> serializer, IntUnaryOperator lengths) {
        return read(bytes, serializer, lengths, null);
    }

    static <T> T read(byte[] bytes, Serializer<T> serializer, IntUnaryOperator lengths, @Nullable T reused) {
        int[] state = {0, 0}; // number of the piece, where it begins
        int first = Math.min(bytes.length, lengths.applyAsInt(0));
        Importer in = new Importer();
        Importer.Source source = importer -> {
            state[1] += length(bytes, lengths, state);
            state[0]++;
            byte[] piece = Arrays.copyOfRange(bytes, state[1], state[1] + length(bytes, lengths, state));
            importer.resume(piece, 0, piece.length);
        };
        in.begin(Arrays.copyOf(bytes, first), 0, first, bytes.length - first, source, 0);
        return serializer.read(in, reused);
    }

    private static int length(byte[] bytes, IntUnaryOperator lengths, int[] state) {
        return Math.min(bytes.length - state[1], lengths.applyAsInt(state[0]));
    }
}
