package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.galerna.harness.Ranks;
import org.galerna.testkit.Payload;
import org.junit.jupiter.api.Test;

/** Messages there and back over an adapter, and what it has counted meanwhile: {@link AdapterTest} runs it. */
class AdapterPingPongSuite {
    private static final int LARGEST = 16 << 20;
    private static final Path ROCE_PACKETS = Path.of("/sys/class/infiniband/rxe0/ports/1/hw_counters/sent_pkts");
    private static final Path NETWORK_BYTES = Path.of("/proc/net/dev");
    private static final Pattern LOOPBACK = Pattern.compile("lo: +(\\d+) ");
    private static final int PACKET_BYTES = 4096; // no adapter has longer ones

    @Test
    void contentsOfEverySizeComeBackAndTheAdapterHasCarriedThem() throws IOException {
        boolean iwarp = System.getProperty("galerna.verbs.adapter", "").startsWith("siw");
        long before = iwarp ? loopbackBytes() : packets();
        Ranks.run(2, (rank, size) -> {
            for (int bytes = 1; bytes <= LARGEST; bytes *= 2) {
                byte[] message = new byte[bytes];
                if (rank == 0) {
                    MPI.COMM_WORLD.Send(Payload.of(bytes, bytes), 0, bytes, MPI.BYTE, 1, 1);
                    MPI.COMM_WORLD.Recv(message, 0, bytes, MPI.BYTE, 1, 2);
                    assertThat(Payload.difference(message, bytes + 1L))
                            .as("%s bytes", bytes)
                            .isEmpty();
                } else {
                    MPI.COMM_WORLD.Recv(message, 0, bytes, MPI.BYTE, 0, 1);
                    assertThat(Payload.difference(message, bytes))
                            .as("%s bytes", bytes)
                            .isEmpty();
                    MPI.COMM_WORLD.Send(Payload.of(bytes + 1L, bytes), 0, bytes, MPI.BYTE, 0, 2);
                }
            }
        });
        long moved = 2 * (2L * LARGEST - 1);
        if (iwarp) { // it has no counters, but its TCP connections go through the loopback device
            long carried = loopbackBytes() - before;
            System.out.println("the loopback device of siw0 has carried " + carried + " bytes for " + moved);
            assertThat(carried).isGreaterThan(moved);
        } else {
            long carried = packets() - before;
            System.out.println("rxe0 has sent " + carried + " packets for " + moved + " bytes");
            assertThat(carried).isGreaterThan(moved / PACKET_BYTES);
        }
    }

    private static long packets() throws IOException {
        return Long.parseLong(Files.readString(ROCE_PACKETS).strip());
    }

    private static long loopbackBytes() throws IOException {
        Matcher line = LOOPBACK.matcher(Files.readString(NETWORK_BYTES));
        assertThat(line.find()).as("a loopback device").isTrue();
        return Long.parseLong(line.group(1));
    }
}
