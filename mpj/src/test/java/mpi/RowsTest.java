package mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.DoubleBuffer;
import java.util.Arrays;
import org.galerna.device.ErrorClass;
import org.galerna.harness.Ranks;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Long messages with gaps, which go from array to array. */
class RowsTest {
    private static final int ELEMENTS = 40_000;

    private static double value(int element) {
        return element + 0.25;
    }

    /** Shapes of at least {@link #ELEMENTS} doubles that begin at the first element of a buffer. */
    private static Datatype shape(int kind, int elements) {
        return switch (kind) {
            case 0 -> Datatype.Contiguous(elements, MPI.DOUBLE);
            case 1 -> Datatype.Vector(elements, 1, 2, MPI.DOUBLE);
            case 2 -> Datatype.Vector(elements / 5, 5, 7, MPI.DOUBLE);
            default -> Datatype.Struct(new int[] {1, 1}, new int[] {0, 3}, new Datatype[] {MPI.DOUBLE, MPI.UB});
        };
    }

    private static int items(int kind, int elements) {
        return kind == 3 ? elements : 1;
    }

    private static int index(int kind, int element) {
        return switch (kind) {
            case 0 -> element;
            case 1 -> 2 * element;
            case 2 -> element / 5 * 7 + element % 5;
            default -> 3 * element;
        };
    }

    private static double[] filled(int kind, int elements) {
        double[] array = new double[3 * elements + 10];
        for (int element = 0; element < elements; element++) {
            array[4 + index(kind, element)] = value(element);
        }
        return array;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void fromEveryShapeToEveryOther(int from) {
        Ranks.run(2, (rank, size) -> {
            Comm world = MPI.COMM_WORLD;
            for (int to = 0; to < 4; to++) {
                for (int round = 0; round < 4; round++) {
                    if (rank == 0) {
                        double[] array = filled(from, ELEMENTS);
                        if (round % 2 == 0) {
                            world.Send(array, 4, items(from, ELEMENTS), shape(from, ELEMENTS), 1, round);
                        } else {
                            world.Isend(array, 4, items(from, ELEMENTS), shape(from, ELEMENTS), 1, round)
                                    .Wait();
                        }
                    } else {
                        double[] array = new double[3 * ELEMENTS + 10];
                        Status status;
                        if (round < 2) {
                            status = world.Recv(
                                    array, 4, items(to, ELEMENTS), shape(to, ELEMENTS), MPI.ANY_SOURCE, round);
                        } else {
                            status = world.Irecv(array, 4, items(to, ELEMENTS), shape(to, ELEMENTS), 0, MPI.ANY_TAG)
                                    .Wait();
                        }
                        assertThat(status.Get_elements(MPI.DOUBLE)).isEqualTo(ELEMENTS);
                        assertThat(status.tag).isEqualTo(round);
                        assertThat(array).isEqualTo(filled(to, ELEMENTS));
                    }
                }
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void shorterLongerAndOfOtherMemory(int kind) {
        Ranks.run(2, (rank, size) -> {
            Comm world = MPI.COMM_WORLD;
            int half = ELEMENTS / 2;
            if (rank == 0) {
                double[] array = filled(kind, ELEMENTS);
                world.Send(array, 4, items(kind, half), shape(kind, half), 1, 0);
                world.Send(array, 4, items(kind, 10), shape(kind, 10), 1, 0); // with the header
                world.Send(array, 4, items(kind, ELEMENTS), shape(kind, ELEMENTS), 1, 0);
                world.Ssend(array, 4, items(kind, 10), shape(kind, 10), 1, 0);
                world.Send(DoubleBuffer.wrap(array), 4, items(kind, half), shape(kind, half), 1, 0);
                world.Send(new byte[80_000], 0, 80_000, MPI.BYTE, 1, 0);
            } else {
                for (int elements : new int[] {half, 10}) {
                    double[] array = new double[3 * ELEMENTS + 10];
                    Status status = world.Recv(array, 4, items(kind, ELEMENTS), shape(kind, ELEMENTS), 0, 0);
                    assertThat(status.Get_elements(MPI.DOUBLE)).isEqualTo(elements);
                    assertThat(array).isEqualTo(Arrays.copyOf(filled(kind, elements), array.length));
                }
                double[] array = new double[3 * ELEMENTS + 10];
                assertThatThrownBy(() -> world.Recv(array, 4, items(kind, half), shape(kind, half), 0, 0))
                        .isInstanceOfSatisfying(
                                MPIException.class,
                                e -> assertThat(e.errorClass()).isEqualTo(ErrorClass.TRUNCATE));
                assertThat(array).isEqualTo(Arrays.copyOf(filled(kind, half), array.length));
                double[] few = new double[3 * ELEMENTS + 10];
                world.Recv(few, 4, items(kind, ELEMENTS), shape(kind, ELEMENTS), 0, 0);
                assertThat(few).isEqualTo(Arrays.copyOf(filled(kind, 10), few.length));
                double[] again = new double[3 * ELEMENTS + 10];
                world.Recv(again, 4, items(kind, ELEMENTS), shape(kind, ELEMENTS), 0, 0);
                assertThat(again).isEqualTo(Arrays.copyOf(filled(kind, half), again.length));
                Status status = world.Recv(again, 4, items(kind, half), shape(kind, half), 0, 0);
                assertThat(status.Get_elements(MPI.DOUBLE)).isEqualTo(10_000);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void toOneself(int kind) {
        Ranks.run(1, (rank, size) -> {
            double[] array = new double[3 * ELEMENTS + 10];
            Request receive = MPI.COMM_WORLD.Irecv(array, 4, items(kind, ELEMENTS), shape(kind, ELEMENTS), 0, 0);
            MPI.COMM_WORLD.Send(filled(1, ELEMENTS), 4, 1, shape(1, ELEMENTS), 0, 0);
            receive.Wait();
            assertThat(array).isEqualTo(filled(kind, ELEMENTS));
        });
    }
}
