package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import org.galerna.harness.Ranks;
import org.junit.jupiter.api.Test;

class PingPongTest {
    @Test
    void bytesGoThereAndBack() {
        Ranks.run(2, (rank, size) -> {
            byte[] buffer = new byte[100];
            for (int round = 0; round < 1000; round++) {
                if (rank == 0) {
                    buffer[7] = (byte) round;
                    MPI.COMM_WORLD.Send(buffer, 5, 10, MPI.BYTE, 1, 3);
                    buffer[7] = 0;
                    Status status = MPI.COMM_WORLD.Recv(buffer, 5, 10, MPI.BYTE, 1, 4);
                    assertThat(status.Get_count(MPI.BYTE)).isEqualTo(10);
                    assertThat(buffer[7]).isEqualTo((byte) (round + 1));
                } else {
                    Status status = MPI.COMM_WORLD.Recv(buffer, 0, 100, MPI.BYTE, MPI.ANY_SOURCE, MPI.ANY_TAG);
                    assertThat(status.source).isZero();
                    assertThat(status.tag).isEqualTo(3);
                    buffer[2]++;
                    MPI.COMM_WORLD.Send(buffer, 0, 10, MPI.BYTE, 0, 4);
                }
            }
        });
    }
}
