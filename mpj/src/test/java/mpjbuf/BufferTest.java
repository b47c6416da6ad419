package mpjbuf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Array;
import java.util.List;
import mpi.MPI;
import org.galerna.harness.Ranks;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BufferTest {
    private static Object array(Type type, int length, int start) {
        Object array = type.element().newArray(length);
        for (int i = 0; i < length; i++) {
            int value = start + i;
            Array.set(
                    array,
                    i,
                    switch (type.element()) {
                        case BYTE -> (Object) (byte) value;
                        case CHAR -> (char) value;
                        case SHORT -> (short) value;
                        case BOOLEAN -> value % 3 == 0;
                        case INT -> value;
                        case LONG -> value * 10_000_000_000L;
                        case FLOAT -> value + 0.5f;
                        case DOUBLE -> value + 0.25;
                        case OBJECT -> start == 0 ? null : List.of("object", value);
                    });
        }
        return array;
    }

    @ParameterizedTest
    @EnumSource(Type.class)
    void sectionsAreReadInTheOrderOfWriting(Type type) throws BufferException {
        int overhead = 4;
        int capacity = overhead + 2 * Buffer.SECTION_OVERHEAD + 24 * 8;
        Buffer buffer = new Buffer(BufferFactory.create(capacity), overhead, capacity);
        for (int round = 0; round < 2; round++) {
            Object source = array(type, 20, 1);
            int[] places = {0, 7, 3, 3, 11};
            int[] matrix = {2, 3, 10, 2}; // extents 2 and 3, strides 10 and 2
            buffer.putSectionHeader(type);
            buffer.write(source, 5, 3);
            buffer.gather(source, 4, 1, places);
            buffer.strGather(source, 4, 2, 0, 2, matrix);
            buffer.putSectionHeader(Type.INT);
            buffer.write(new int[] {1, 2, 3}, 1, 2);
            buffer.commit();

            assertThat(buffer.getSectionHeader()).isEqualTo(type);
            assertThat(buffer.getSectionSize()).isEqualTo(13);
            Object dest = array(type, 20, 0);
            Object expected = array(type, 20, 0);
            buffer.read(dest, 1, 3);
            System.arraycopy(source, 5, expected, 1, 3);
            buffer.scatter(dest, 4, 0, new int[] {10, 11, 12, 13});
            for (int i = 0; i < 4; i++) {
                Array.set(expected, 10 + i, Array.get(source, places[1 + i]));
            }
            assertThat(dest).isEqualTo(expected);
            if (round == 0) {
                buffer.strScatter(dest, 14, 2, 0, 2, new int[] {2, 3, 3, 1});
                for (int i = 0; i < 6; i++) {
                    Array.set(expected, 14 + i, Array.get(source, 4 + i / 3 * 10 + i % 3 * 2));
                }
                assertThat(dest).isEqualTo(expected);
            }
            // what is left of a section is skipped
            assertThat(buffer.getSectionHeader()).isEqualTo(Type.INT);
            int[] ints = new int[2];
            buffer.read(ints, 0, 2);
            assertThat(ints).containsExactly(2, 3);
            assertThatThrownBy(() -> buffer.read(ints, 0, 1)).isInstanceOf(BufferException.class);
            assertThatThrownBy(buffer::getSectionHeader).isInstanceOf(BufferException.class);
            buffer.clear();
        }
        BufferFactory.destroy(buffer.getStaticBuffer());
    }

    @Test
    void whatDoesNotFitIsRefused() throws BufferException {
        Buffer buffer = new Buffer(16);
        assertThatThrownBy(() -> buffer.write(new int[1], 0, 1))
                .isInstanceOf(BufferException.class)
                .hasMessageContaining("putSectionHeader");
        buffer.putSectionHeader(Type.INT);
        buffer.write(new int[] {1, 2}, 0, 2);
        assertThatThrownBy(() -> buffer.write(new int[1], 0, 1))
                .isInstanceOf(BufferException.class)
                .hasMessageContaining("16 bytes");
        assertThatThrownBy(() -> buffer.write(new long[1], 0, 1))
                .isInstanceOf(BufferException.class)
                .hasMessageContaining("long[]");
        assertThatThrownBy(() -> buffer.write(new int[1], 0, 2)).isInstanceOf(BufferException.class);
        assertThatThrownBy(() -> new Buffer(BufferFactory.create(8), 0, 9))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void damagedSectionsAreRefused() throws BufferException {
        Buffer buffer = new Buffer(32);
        for (int code = -1; code < 20; code++) {
            int kind = code > 9 ? code - 9 : code; // those of the dynamic types follow
            for (int elements : new int[] {-1, 4, 7, 1 << 30}) {
                buffer.clear();
                java.util.Arrays.fill(buffer.array(), (byte) 0);
                java.nio.ByteBuffer bytes =
                        java.nio.ByteBuffer.wrap(buffer.array()).order(java.nio.ByteOrder.nativeOrder());
                bytes.putInt(code).putInt(elements);
                boolean fits = kind >= 1 && kind <= 8 && code != 9 && elements > 0 && elements * sizeOf(kind) <= 24;
                buffer.commit();
                if (fits) {
                    buffer.getSectionHeader();
                    assertThat(buffer.getSectionSize()).isEqualTo(elements);
                } else {
                    assertThatThrownBy(buffer::getSectionHeader)
                            .as(code + ", " + elements)
                            .isInstanceOf(Exception.class);
                }
            }
        }
    }

    private static long sizeOf(int code) {
        return new long[] {0, 1, 2, 2, 1, 4, 8, 4, 8}[code];
    }

    @Test
    void buffersAreSentAsPackedData() {
        Ranks.run(2, (rank, size) -> {
            Buffer buffer = new Buffer(64);
            if (rank == 0) {
                buffer.putSectionHeader(Type.DOUBLE);
                buffer.write(new double[] {1, 2, 3}, 0, 3);
                buffer.commit();
                MPI.COMM_WORLD.Send(buffer, 0, buffer.getSize(), MPI.PACKED, 1, 0);
                mpi.Prequest again = MPI.COMM_WORLD.Send_init(buffer, 0, buffer.getSize(), MPI.PACKED, 1, 0);
                again.Start();
                again.Wait();
            } else {
                for (int message = 0; message < 2; message++) {
                    buffer.clear();
                    MPI.COMM_WORLD.Recv(buffer, 0, 64, MPI.PACKED, 0, 0);
                    buffer.commit();
                    assertThat(buffer.getSectionHeader()).isEqualTo(Type.DOUBLE);
                    double[] doubles = new double[3];
                    buffer.read(doubles, 0, buffer.getSectionSize());
                    assertThat(doubles).containsExactly(1, 2, 3);
                }
            }
        });
    }
}
