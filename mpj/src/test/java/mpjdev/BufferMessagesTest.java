package mpjdev;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import mpi.MPI;
import mpjbuf.Buffer;
import mpjbuf.BufferException;
import mpjbuf.Type;
import org.galerna.harness.Ranks;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Buffers that are sent and received below {@code mpi}. */
class BufferMessagesTest {
    private static final int TAG = 99;

    private static Buffer filled(int elements) throws BufferException {
        Buffer buffer = new Buffer(8 * elements + 8);
        buffer.putSectionHeader(Type.DOUBLE);
        double[] values = new double[elements];
        java.util.Arrays.setAll(values, i -> i + 0.5);
        buffer.write(values, 0, elements);
        buffer.putSectionHeader(Type.INT_DYNAMIC);
        buffer.write(new int[] {elements, 42}, 0, 2);
        buffer.putSectionHeader(Type.OBJECT);
        buffer.write(new Object[] {"words", List.of(1, 2, 3)}, 0, 2);
        buffer.commit();
        return buffer;
    }

    private static void check(Buffer buffer, int elements) throws BufferException {
        buffer.commit();
        assertThat(buffer.getSectionHeader()).isEqualTo(Type.DOUBLE);
        assertThat(buffer.getSectionSize()).isEqualTo(elements);
        double[] values = new double[elements];
        buffer.read(values, 0, elements);
        for (int i = 0; i < elements; i++) {
            assertThat(values[i]).isEqualTo(i + 0.5);
        }
        assertThat(buffer.getSectionHeader()).isEqualTo(Type.INT_DYNAMIC);
        int[] ints = new int[2];
        buffer.read(ints, 0, 2);
        assertThat(ints).containsExactly(elements, 42);
        assertThat(buffer.getSectionHeader()).isEqualTo(Type.OBJECT);
        Object[] objects = new Object[2];
        buffer.read(objects, 0, 2);
        assertThat(objects).containsExactly("words", List.of(1, 2, 3));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 100, 20_000})
    void arriveWhole(int elements) {
        Ranks.runBare(2, (rank, size) -> {
            String[] own = MPJDev.init(new String[] {"argument"});
            assertThat(own).containsExactly("argument");
            Comm world = MPJDev.WORLD;
            assertThat(world.id()).isEqualTo(rank);
            assertThat(world.size()).isEqualTo(2);
            for (boolean pt2pt : new boolean[] {true, false}) {
                if (rank == 0) {
                    Buffer buffer = filled(elements);
                    world.send(buffer, 1, TAG, pt2pt);
                    world.ssend(buffer, 1, TAG, pt2pt);
                    Request request = world.isend(buffer, 1, TAG, pt2pt);
                    buffer.clear();
                    request.iwait();
                    request = world.issend(filled(elements), 1, TAG, pt2pt);
                    while (request.itest() == null) {
                        Thread.onSpinWait();
                    }
                } else {
                    Buffer buffer = new Buffer(8); // it grows
                    for (int message = 0; message < 2; message++) {
                        Status status = world.recv(buffer, MPI.ANY_SOURCE, MPI.ANY_TAG, pt2pt);
                        assertThat(status.source).isZero();
                        assertThat(status.tag).isEqualTo(TAG);
                        check(buffer, elements);
                    }
                    for (int message = 0; message < 2; message++) {
                        Request request = world.irecv(buffer, 0, TAG, pt2pt);
                        while (request.itest() == null) {
                            Thread.onSpinWait();
                        }
                        check(buffer, elements);
                    }
                }
            }
            world.barrier();
            MPJDev.finish();
        });
    }

    @Test
    void areFoundByProbingAndByTheirCommunicator() {
        Ranks.run(2, (rank, size) -> {
            Comm world = MPI.COMM_WORLD.mpjdevComm;
            Comm copy = ((mpi.Intracomm) MPI.COMM_WORLD.clone()).mpjdevComm;
            if (rank == 0) {
                assertThat(world.iprobe(1, TAG)).isNull();
                world.send(filled(3), 1, TAG, true);
                copy.send(filled(4), 1, TAG, true);
            } else {
                Status status = copy.probe(MPI.ANY_SOURCE, MPI.ANY_TAG);
                assertThat(status.tag).isEqualTo(TAG);
                Buffer buffer = new Buffer(200);
                copy.recv(buffer, status.source, status.tag, true);
                check(buffer, 4);
                world.recv(buffer, 0, TAG, true);
                check(buffer, 3);
            }
            world.barrier();
        });
    }
}
