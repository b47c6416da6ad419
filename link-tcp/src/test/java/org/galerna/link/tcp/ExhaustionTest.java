package org.galerna.link.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;
import org.galerna.device.Device;
import org.galerna.device.Devices;
import org.galerna.link.Wireup;
import org.galerna.link.process.PeerTimeout;
import org.galerna.link.wireup.Wireups;
import org.galerna.testkit.Fault;
import org.galerna.testkit.process.RankProcesses;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ranks whose processes have no file descriptors left. */
@Tag("slow")
class ExhaustionTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final int DESCRIPTORS = 100;

    private static List<String> limited(List<String> command) {
        List<String> words =
                new ArrayList<>(List.of("sh", "-c", "ulimit -n " + DESCRIPTORS + " && exec \"$0\" \"$@\""));
        words.addAll(command);
        return words;
    }

    private static RankProcesses start(String way) {
        return RankProcesses.start(
                3,
                List.of("--enable-native-access=ALL-UNNAMED", "-Xmx128m", "-D" + PeerTimeout.PROPERTY + "=30"),
                (rank, command) -> limited(command),
                Full.class,
                way);
    }

    @ParameterizedTest
    @Fault(28)
    @CsvSource({"calling, 0", "called, 1"})
    void aRankWithoutDescriptorsConnectsOnceThereAreSome(String way, int full) throws Exception {
        try (RankProcesses job = start(way)) {
            job.rank(full).awaitOut(out -> out.contains("full"), LONG);
            job.rank(0).awaitOut(out -> out.contains("begins"), LONG);
            job.rank(full).type("\n"); // gives some back
            for (int rank = 0; rank < 3; rank++) {
                assertThat(job.rank(rank).awaitExit(LONG))
                        .as(
                                "rank %s: %s%s",
                                rank, job.rank(rank).out(), job.rank(rank).err())
                        .isZero();
            }
            assertThat(job.rank(1).out()).contains("received 42");
        }
    }

    /** Rank 0 sends to rank 1, with which it has had nothing to do, while one of them has no descriptors. */
    static final class Full {
        public static void main(String[] arguments) throws Exception {
            loadEverything();
            Wireup wireup = Wireups.ofProcess().orElseThrow();
            Device device = Devices.open("niodev", wireup);
            int full = arguments[0].equals("calling") ? 0 : 1;
            Deque<InputStream> open = new ArrayDeque<>();
            rehearse(device);
            if (device.rank() == full) {
                try {
                    while (true) {
                        open.add(new FileInputStream("/dev/null"));
                    }
                } catch (IOException none) {
                    System.out.println("none left: " + none.getMessage());
                }
            }
            if (device.rank() == full) {
                System.out.println("full");
            }
            byte[] message = {42};
            if (device.rank() == 0) {
                Thread giver = Thread.ofPlatform().daemon().start(() -> giveBack(open));
                System.out.println("begins");
                device.send(message, 0, 1, 1, 1, 0);
                giver.interrupt();
            } else if (device.rank() == 1) {
                Thread.ofPlatform().daemon().start(() -> giveBack(open));
                message[0] = 0;
                device.recv(message, 0, 1, 0, 1, 0).release();
                System.out.println("received " + message[0]);
            }
            while (!open.isEmpty()) {
                open.pop().close();
            }
            device.close();
            wireup.close();
        }

        /** A jar is open all the time; out of folders, no class could be loaded without descriptors. */
        private static void loadEverything() throws IOException, ClassNotFoundException {
            for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
                Path root = Path.of(entry);
                if (!Files.isDirectory(root.resolve("org/galerna"))) {
                    continue;
                }
                try (Stream<Path> files = Files.walk(root.resolve("org/galerna"))) {
                    for (Path each : files.filter(file -> file.toString().endsWith(".class"))
                            .filter(file -> !file.toString().contains("package-info"))
                            .filter(file -> !file.toString().contains("Test"))
                            .filter(file -> !file.toString().contains("testkit"))
                            .toList()) {
                        String name = root.relativize(each).toString().replace(File.separatorChar, '.');
                        Class.forName(
                                name.substring(0, name.length() - ".class".length()),
                                false,
                                ClassLoader.getSystemClassLoader());
                    }
                }
            }
        }

        /** Connects both to rank 2, so that the way of a message is known. */
        private static void rehearse(Device device) {
            byte[] message = new byte[1];
            if (device.rank() == 0) {
                device.send(message, 0, 1, 2, 1, 0);
                device.recv(message, 0, 1, 2, 1, 0).release();
            } else if (device.rank() == 2) {
                device.recv(message, 0, 1, 0, 1, 0).release();
                device.send(message, 0, 1, 0, 1, 0);
                device.send(message, 0, 1, 1, 1, 0);
                device.recv(message, 0, 1, 1, 1, 0).release();
            } else {
                device.recv(message, 0, 1, 2, 1, 0).release();
                device.send(message, 0, 1, 2, 1, 0);
            }
        }

        private static void giveBack(Deque<InputStream> open) {
            try {
                if (System.in.read() >= 0) {
                    for (int some = 0; some < 40 && !open.isEmpty(); some++) {
                        open.pop().close();
                    }
                }
            } catch (IOException over) {
                System.err.println(over);
            }
        }
    }
}
