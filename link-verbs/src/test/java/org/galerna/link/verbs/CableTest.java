package org.galerna.link.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.galerna.device.Device;
import org.galerna.device.Devices;
import org.galerna.device.Request;
import org.galerna.link.Wireup;
import org.galerna.link.wireup.Wireups;
import org.galerna.testkit.Payload;
import org.galerna.testkit.process.ChildProcess;
import org.galerna.testkit.process.RankProcesses;
import org.galerna.testkit.process.RdmaGuest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two hosts, each with an adapter of its own, and a cable between them: two virtual machines. */
@Tag("adapter")
@Timeout(3000)
class CableTest {
    private static final int LARGEST = 16 << 20;

    @TempDir
    Path folder;

    private ChildProcess start(int rank, List<String> options) throws InterruptedException, IOException {
        Path meeting = Files.createDirectories(folder.resolve("job"));
        List<String> command = new ArrayList<>(List.of("env"));
        RankProcesses.environment(meeting, rank, 2).forEach((name, value) -> command.add(name + "=" + value));
        List<String> all = new ArrayList<>(List.of("-Dgalerna.tcp.interface=eth0"));
        all.addAll(options);
        command.addAll(RdmaGuest.java(all, Talk.class, List.of()));
        return RdmaGuest.prepare(false)
                .onCable(folder, rank + 1)
                .sharing(meeting)
                .start(command);
    }

    private void talk(List<String> options) throws InterruptedException, IOException {
        try (ChildProcess first = start(0, options);
                ChildProcess second = start(1, options)) {
            assertThat(RdmaGuest.outputOf(first)).contains("all have come");
            assertThat(RdmaGuest.outputOf(second)).contains("all have come");
        }
    }

    @Test
    @Tag("slow")
    void messagesOfEverySizeCrossTheCable() throws InterruptedException, IOException {
        talk(List.of());
    }

    @Test
    @Tag("slow")
    void messagesCrossTheCableWithoutRdmaCm() throws InterruptedException, IOException {
        talk(List.of("-Dgalerna.verbs.connect=exchange", "-Dgalerna.verbs.rendezvous=write"));
    }

    /** Both ranks send each other messages of all sizes. */
    static final class Talk {
        public static void main(String[] arguments) {
            try (Wireup wireup = Wireups.ofProcess().orElseThrow();
                    Device device = Devices.open("ibvdev", wireup)) {
                int peer = 1 - device.rank();
                for (int size = 1; size <= LARGEST; size *= 4) {
                    byte[] out = Payload.of(Payload.seed(device.rank(), size), size);
                    Request send = device.isend(out, 0, size, peer, 1, 0);
                    byte[] in = new byte[size];
                    device.recv(in, 0, size, peer, 1, 0).release();
                    assertThat(Payload.difference(in, Payload.seed(peer, size))).isEmpty();
                    send.await();
                    send.release();
                }
                System.out.println("all have come");
            }
        }
    }
}
