package org.galerna.mpi.collective;

import java.util.Arrays;
import java.util.function.Consumer;
import org.galerna.collectives.Collectives;
import org.galerna.collectives.buffer.Blocks;

/**
 * A collective of serialized objects: two of bytes, one for the lengths and one for the objects, and then the objects go
 * where they belong. Each of them depends on what the one before has brought; blocking, they follow each other, and
 * without blocking the second starts when the first is done.
 */
abstract class ObjectExchange {
    private static final byte[] NOTHING = {};

    private final Consumer<byte[][]> delivery;

    /** What has come: an element for each rank, or one; none on a rank that gets nothing. */
    byte[][] received = {};

    /** @param delivery is given what has come, in the thread that completes the collective */
    private ObjectExchange(Consumer<byte[][]> delivery) {
        this.delivery = delivery;
    }

    /** The first part: exactly one operation of the given collectives. */
    abstract void lengths(Collectives on);

    /** The second part, when the first is done. */
    abstract void data(Collectives on);

    /** Brings what has come to the program's buffer, when the second part is done. */
    void deliver() {
        finish();
        delivery.accept(received);
    }

    /** Divides what has come. */
    abstract void finish();

    /** The bytes of the root to all; the root itself gets nothing. */
    static ObjectExchange fromOneToAll(boolean atRoot, byte[] own, int root, Consumer<byte[][]> delivery) {
        return new ObjectExchange(delivery) {
            private final int[] length = {own.length};
            private byte[] bytes = own;

            @Override
            void lengths(Collectives on) {
                on.bcast(length, 0, Integer.BYTES, root);
            }

            @Override
            void data(Collectives on) {
                if (!atRoot) {
                    bytes = new byte[length[0]];
                }
                on.bcast(bytes, 0, bytes.length, root);
            }

            @Override
            void finish() {
                if (!atRoot) {
                    received = new byte[][] {bytes};
                }
            }
        };
    }

    /** The bytes of all to the root. */
    static ObjectExchange fromAllToOne(int size, boolean atRoot, byte[] own, int root, Consumer<byte[][]> delivery) {
        return new ObjectExchange(delivery) {
            private final int[] lengths = new int[size];
            private byte[] joined = NOTHING;

            @Override
            void lengths(Collectives on) {
                on.gather(new int[] {own.length}, 0, Integer.BYTES, lengths, 0, root);
            }

            @Override
            void data(Collectives on) {
                if (!atRoot) {
                    on.gatherv(own, 0, own.length, null, 0, null, root);
                    return;
                }
                joined = new byte[BufferSpec.total(lengths)];
                on.gatherv(own, 0, own.length, joined, 0, Blocks.packed(lengths, 1), root);
            }

            @Override
            void finish() {
                if (atRoot) {
                    received = split(joined, lengths);
                }
            }
        };
    }

    /** The bytes of all to all. */
    static ObjectExchange fromAllToAll(int size, byte[] own, Consumer<byte[][]> delivery) {
        return new ObjectExchange(delivery) {
            private final int[] lengths = new int[size];
            private byte[] joined = NOTHING;

            @Override
            void lengths(Collectives on) {
                on.allgather(new int[] {own.length}, 0, Integer.BYTES, lengths, 0);
            }

            @Override
            void data(Collectives on) {
                joined = new byte[BufferSpec.total(lengths)];
                on.allgatherv(own, 0, own.length, joined, 0, Blocks.packed(lengths, 1));
            }

            @Override
            void finish() {
                received = split(joined, lengths);
            }
        };
    }

    /**
     * A part of the root's bytes to each.
     *
     * @param parts one for each rank; none on the others
     */
    static ObjectExchange fromOneToEach(int size, byte[][] parts, int root, Consumer<byte[][]> delivery) {
        return new ObjectExchange(delivery) {
            private final int[] lengths = lengthsOf(parts, size);
            private final byte[] joined = join(parts);
            private final int[] length = new int[1];
            private byte[] own = NOTHING;

            @Override
            void lengths(Collectives on) {
                on.scatter(lengths, 0, length, 0, Integer.BYTES, root);
            }

            @Override
            void data(Collectives on) {
                own = new byte[length[0]];
                on.scatterv(joined, 0, Blocks.packed(lengths, 1), own, 0, own.length, root);
            }

            @Override
            void finish() {
                received = new byte[][] {own};
            }
        };
    }

    /** A part of the bytes of each to each; {@code parts} has one for each rank. */
    static ObjectExchange fromEachToEach(byte[][] parts, Consumer<byte[][]> delivery) {
        return new ObjectExchange(delivery) {
            private final int[] outgoing = lengthsOf(parts, parts.length);
            private final int[] incoming = new int[parts.length];
            private final byte[] joined = join(parts);
            private byte[] arrived = NOTHING;

            @Override
            void lengths(Collectives on) {
                on.alltoall(outgoing, 0, incoming, 0, Integer.BYTES);
            }

            @Override
            void data(Collectives on) {
                arrived = new byte[BufferSpec.total(incoming)];
                on.alltoallv(joined, 0, Blocks.packed(outgoing, 1), arrived, 0, Blocks.packed(incoming, 1));
            }

            @Override
            void finish() {
                received = split(arrived, incoming);
            }
        };
    }

    private static int[] lengthsOf(byte[][] parts, int size) {
        int[] lengths = new int[size];
        for (int rank = 0; rank < parts.length; rank++) {
            lengths[rank] = parts[rank].length;
        }
        return lengths;
    }

    private static byte[] join(byte[][] parts) {
        byte[] joined = new byte[BufferSpec.total(lengthsOf(parts, parts.length))];
        int position = 0;
        for (byte[] part : parts) {
            System.arraycopy(part, 0, joined, position, part.length);
            position += part.length;
        }
        return joined;
    }

    private static byte[][] split(byte[] joined, int[] lengths) {
        byte[][] parts = new byte[lengths.length][];
        int position = 0;
        for (int rank = 0; rank < parts.length; rank++) {
            parts[rank] = Arrays.copyOfRange(joined, position, position + lengths[rank]);
            position += lengths[rank];
        }
        return parts;
    }
}
