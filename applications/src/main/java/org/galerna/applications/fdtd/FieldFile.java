package org.galerna.applications.fdtd;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * All components of a field in a file: {@code Ez}, {@code Hx}, {@code Hy}, each row by row, as 64-bit floating-point
 * numbers with the highest byte first.
 */
public final class FieldFile {
    private FieldFile() {}

    /** Writes components one after the other. Not thread-safe. */
    static final class Writer implements AutoCloseable {
        private final Path file;
        private final DataOutputStream output;

        Writer(Path file) {
            this.file = file;
            try {
                this.output = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file), 1 << 16));
            } catch (IOException failure) {
                throw new UncheckedIOException("cannot write " + file, failure);
            }
        }

        void write(double[] component) {
            ByteBuffer row = ByteBuffer.allocate(8 * 1024);
            try {
                for (int from = 0; from < component.length; from += 1024) {
                    int count = Math.min(1024, component.length - from);
                    row.clear();
                    row.asDoubleBuffer().put(component, from, count);
                    output.write(row.array(), 0, 8 * count);
                }
            } catch (IOException failure) {
                throw new UncheckedIOException("cannot write " + file, failure);
            }
        }

        @Override
        public void close() {
            try {
                output.close();
            } catch (IOException failure) {
                throw new UncheckedIOException("cannot write " + file, failure);
            }
        }
    }

    /**
     * Compares a file with a field, bit by bit.
     *
     * @return the first cell that differs; empty if none does
     * @throws UncheckedIOException if the file cannot be read, or is too short
     */
    public static Optional<String> firstDifference(Path file, ReferenceSolver expected, int width, int height) {
        try (DataInputStream input =
                new DataInputStream(new BufferedInputStream(Files.newInputStream(file), 1 << 16))) {
            for (Component component : Component.values()) {
                for (int y = 0; y < height; y++) {
                    double[] row = expected.row(component, y);
                    for (int x = 0; x < width; x++) {
                        long bits = input.readLong();
                        if (bits != Double.doubleToRawLongBits(row[x])) {
                            return Optional.of(component + " at column " + x + ", row " + y + " is "
                                    + Double.longBitsToDouble(bits) + " instead of " + row[x]);
                        }
                    }
                }
            }
            return Optional.empty();
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot compare " + file, failure);
        }
    }
}
