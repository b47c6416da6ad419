package org.galerna.link.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.galerna.device.Device;
import org.galerna.device.DeviceException;
import org.galerna.device.Devices;
import org.galerna.device.Request;
import org.galerna.link.Wireup;
import org.galerna.link.Wireups;
import org.galerna.testkit.Payload;
import org.galerna.testkit.process.RankProcesses;
import org.junit.jupiter.api.Test;

/** Ranks that are processes, where there is an adapter: {@link AdapterTest} runs it. */
class VerbsProcessesSuite {
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final int[] SIZES = {0, 1, 100, 8192, 8193, 100_003, (1 << 20) + 1};

    private static final List<String> OPTIONS =
            List.of("--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC", "-Xmx256m", "-Dgalerna.peer.timeout=600");

    @Test
    void ranksTalkAndOneThatIsKilledIsNamedByTheOther() throws InterruptedException {
        try (RankProcesses job = RankProcesses.start(2, OPTIONS, TalkThenWait.class)) {
            job.rank(0).awaitOut(out -> out.contains("exchanged"), LONG);
            job.rank(1).awaitOut(out -> out.contains("exchanged"), LONG);
            job.rank(1).signal("KILL");
            job.rank(0).awaitOut(out -> out.contains("failed"), LONG);
            assertThat(job.rank(0).out()).contains("rank 1 is gone").doesNotContain("over");
            assertThat(job.rank(0).awaitExit(LONG)).isZero();
        }
    }

    /** Both ranks send each other messages of many sizes, and wait then for one that never comes. */
    static final class TalkThenWait {
        public static void main(String[] arguments) {
            try (Wireup wireup = Wireups.ofProcess().orElseThrow();
                    Device device = Devices.open("ibvdev", wireup)) {
                int peer = 1 - device.rank();
                for (int size : SIZES) {
                    exchange(device, peer, size);
                }
                System.out.println("exchanged");
                try {
                    device.recv(new byte[1], 0, 1, peer, 7, 0).release();
                    System.out.println("over");
                } catch (DeviceException failed) {
                    System.out.println("failed: " + failed.getMessage());
                }
            }
        }

        private static void exchange(Device device, int peer, int size) {
            byte[] out = Payload.of(Payload.seed(device.rank(), size), size);
            Request send = device.isend(out, 0, size, peer, size, 0);
            byte[] in = new byte[size];
            device.recv(in, 0, size, peer, size, 0).release();
            Payload.difference(in, Payload.seed(peer, size)).ifPresent(wrong -> {
                throw new AssertionError(wrong);
            });
            send.await();
            send.release();
        }
    }
}
