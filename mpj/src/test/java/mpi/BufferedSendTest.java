package mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.galerna.device.ErrorClass;
import org.galerna.harness.Ranks;
import org.junit.jupiter.api.Test;

class BufferedSendTest {
    /** Longer than what is sent eagerly, so that it stays in the buffer until it is received. */
    private static final int LONG_MESSAGE = 100_000;

    @Test
    void messagesStayInTheBufferUntilTheyAreReceived() {
        Ranks.run(2, (rank, size) -> {
            Intracomm world = MPI.COMM_WORLD;
            byte[] data = new byte[LONG_MESSAGE];
            if (rank == 0) {
                int each = world.Pack_size(LONG_MESSAGE, MPI.BYTE) + MPI.BSEND_OVERHEAD;
                MPI.Buffer_attach(new byte[3 * each]);
                for (int message = 0; message < 3; message++) {
                    data[0] = (byte) message;
                    world.Bsend(data, 0, LONG_MESSAGE, MPI.BYTE, 1, message);
                }
                assertThatThrownBy(() -> world.Bsend(data, 0, LONG_MESSAGE, MPI.BYTE, 1, 3))
                        .isInstanceOfSatisfying(MPIException.class, failure -> {
                            assertThat(failure.errorClass()).isEqualTo(ErrorClass.BUFFER);
                            assertThat(failure)
                                    .hasMessageContaining("100000 bytes does not fit")
                                    .hasMessageContaining("3 messages");
                        });
                world.Send(data, 0, 0, MPI.BYTE, 1, 99);
                world.Recv(data, 0, 1, MPI.BYTE, 1, 98); // the message in the middle has been received
                data[0] = 7;
                world.Ibsend(data, 0, LONG_MESSAGE, MPI.BYTE, 1, 4).Wait();
                world.Send(data, 0, 0, MPI.BYTE, 1, 99);
                MPI.Buffer_detach();
                assertThatThrownBy(() -> world.Bsend(data, 0, 1, MPI.BYTE, 1, 3))
                        .isInstanceOf(MPIException.class)
                        .hasMessageContaining("MPI.Buffer_attach");
            } else {
                world.Recv(data, 0, 0, MPI.BYTE, 0, 99);
                for (int tag : new int[] {1}) {
                    world.Recv(data, 0, LONG_MESSAGE, MPI.BYTE, 0, tag);
                    assertThat(data[0]).isEqualTo((byte) tag);
                }
                world.Send(data, 0, 1, MPI.BYTE, 0, 98);
                world.Recv(data, 0, 0, MPI.BYTE, 0, 99);
                for (int tag : new int[] {4, 2, 0}) {
                    world.Recv(data, 0, LONG_MESSAGE, MPI.BYTE, 0, tag);
                    assertThat(data[0]).isEqualTo((byte) (tag == 4 ? 7 : tag));
                }
            }
        });
    }

    @Test
    void packSizeAndOverheadSufficeForAnyMixOfMessages() {
        Ranks.run(2, (rank, size) -> {
            Intracomm world = MPI.COMM_WORLD;
            int messages = 50;
            Datatype gapped = Datatype.Vector(3, 1, 2, MPI.DOUBLE);
            if (rank == 0) {
                int bytes = 0;
                for (int i = 0; i < messages; i++) {
                    bytes += world.Pack_size(i, MPI.SHORT) + MPI.BSEND_OVERHEAD;
                    bytes += world.Pack_size(i, gapped) + MPI.BSEND_OVERHEAD;
                }
                MPI.Buffer_attach(ByteBuffer.allocate(bytes));
                double[] doubles = new double[5 * messages];
                for (int i = 0; i < messages; i++) {
                    world.Bsend(new short[messages], 0, i, MPI.SHORT, 1, i);
                    doubles[0] = i;
                    world.Bsend(doubles, 0, i, gapped, 1, messages + i);
                }
                MPI.Buffer_detach();
            } else {
                for (int i = messages - 1; i >= 0; i--) {
                    double[] doubles = new double[5 * messages];
                    world.Recv(doubles, 0, i, gapped, 0, messages + i);
                    assertThat(doubles[0]).isEqualTo(i);
                    world.Recv(new short[i], 0, i, MPI.SHORT, 0, i);
                }
            }
        });
    }

    @Test
    void detachingWaitsForTheMessages() {
        Ranks.run(2, (rank, size) -> {
            Intracomm world = MPI.COMM_WORLD;
            byte[] data = new byte[LONG_MESSAGE];
            if (rank == 0) {
                byte[] buffer = new byte[LONG_MESSAGE + MPI.BSEND_OVERHEAD];
                MPI.Buffer_attach(buffer);
                assertThatThrownBy(() -> MPI.Buffer_attach(new byte[1]))
                        .isInstanceOf(MPIException.class)
                        .hasMessageContaining("attached already");
                data[5] = 5;
                world.Bsend(data, 0, LONG_MESSAGE, MPI.BYTE, 1, 0);
                MPI.Buffer_detach();
                Arrays.fill(buffer, (byte) 1); // must not reach the receiver
                MPI.Buffer_attach(buffer);
                MPI.Buffer_detach();
                MPI.Buffer_detach();
            } else {
                world.Recv(data, 0, LONG_MESSAGE, MPI.BYTE, 0, 0);
                assertThat(data[5]).isEqualTo((byte) 5);
                assertThat(data[6]).isZero();
            }
        });
    }

    @Test
    void finalizeSendsWhatIsBuffered() {
        Ranks.run(2, (rank, size) -> {
            Intracomm world = MPI.COMM_WORLD;
            byte[] data = new byte[LONG_MESSAGE];
            if (rank == 0) {
                data[1] = 1;
                MPI.Buffer_attach(ByteBuffer.allocateDirect(300_000));
                world.Bsend(data, 0, LONG_MESSAGE, MPI.BYTE, 1, 0);
                world.Bsend(new Object[] {"o".repeat(50_000)}, 0, 1, MPI.OBJECT, 1, 0);
                MPI.Finalize();
            } else {
                world.Recv(data, 0, LONG_MESSAGE, MPI.BYTE, 0, 0);
                assertThat(data[1]).isEqualTo((byte) 1);
                Object[] objects = new Object[1];
                world.Recv(objects, 0, 1, MPI.OBJECT, 0, 0);
                assertThat((String) objects[0]).hasSize(50_000);
            }
        });
    }
}
