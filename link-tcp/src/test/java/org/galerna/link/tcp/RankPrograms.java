package org.galerna.link.tcp;

import static org.galerna.device.Device.ANY_SOURCE;

import java.lang.foreign.MemorySegment;
import org.galerna.device.Device;
import org.galerna.device.DeviceException;
import org.galerna.device.Devices;
import org.galerna.link.Wireup;
import org.galerna.link.wireup.Wireups;

/**
 * What the ranks of {@link ProcessesTest} run beside the programs of the test kit. Unlike those of the same names there, they have not
 * talked before the call in which a rank is lost. The first argument of each is the name of the device.
 */
final class RankPrograms {
    private RankPrograms() {}

    private static Wireup wireup() {
        return Wireups.ofProcess().orElseThrow();
    }

    private static void say(String text) {
        System.out.println(text);
    }

    /**
     * The last rank says when it is ready and does nothing more but what keeps it alive; each other one waits for it in
     * the way that the second argument names, and says how that has ended.
     */
    static final class WaitForTheLast {
        public static void main(String[] arguments) throws Exception {
            Wireup wireup = wireup();
            Device device = Devices.open(arguments[0], wireup);
            int last = device.size() - 1;
            if (device.rank() == last) {
                serve(device, arguments[1]);
            }
            say("ready");
            try {
                wait(device, arguments[1], last);
                say("over");
            } catch (DeviceException lost) {
                say("failed: " + lost.getMessage());
            }
            try {
                device.close();
            } catch (DeviceException lost) {
                say("closed: " + lost.getMessage());
            }
            wireup.close();
        }

        private static void serve(Device device, String way) throws InterruptedException {
            if (way.equals("get")) {
                byte[] large = new byte[64 << 20];
                for (int peer = 0; peer < device.rank(); peer++) {
                    device.isend(large, 0, large.length, peer, 1, 0);
                }
            }
            say("ready");
            synchronized (device) {
                while (true) {
                    device.wait();
                }
            }
        }

        private static void wait(Device device, String way, int last) {
            byte[] bytes = new byte[1 << 20];
            switch (way) {
                case "receive" -> device.recv(bytes, 0, 8, last, 1, 0);
                case "probe" -> device.probe(last, 1, 0);
                case "synchronous" -> device.ssend(bytes, 0, 8, last, 1, 0);
                case "rendezvous" -> device.send(bytes, 0, bytes.length, last, 1, 0);
                case "eager" -> {
                    while (true) {
                        device.send(bytes, 0, 1000, last, 1, 0);
                    }
                }
                case "get" -> {
                    byte[] large = new byte[64 << 20];
                    device.recv(large, 0, large.length, last, 1, 0);
                }
                case "wildcard" -> device.recv(bytes, 0, 8, ANY_SOURCE, 1, 0);
                default -> throw new IllegalArgumentException(way);
            }
        }
    }

    /** Two ranks that send a number to and fro for ever, and say each hundredth. */
    static final class PingPong {
        public static void main(String[] arguments) {
            try (Wireup wireup = wireup();
                    Device device = Devices.open(arguments[0], wireup)) {
                int peer = 1 - device.rank();
                long[] number = new long[1];
                MemorySegment memory = MemorySegment.ofArray(number);
                for (long round = 0; ; round++) {
                    if (device.rank() == 0) {
                        number[0] = round;
                        device.send(memory, 0, 8, peer, 1, 0);
                    }
                    device.recv(memory, 0, 8, peer, 1, 0).release();
                    if (number[0] != round) {
                        throw new AssertionError("number " + number[0] + " in round " + round);
                    }
                    if (device.rank() == 1) {
                        device.send(memory, 0, 8, peer, 1, 0);
                    }
                    if (round % 100 == 0) {
                        say("round " + round / 100 + ".");
                    }
                }
            } catch (DeviceException lost) {
                say("failed: " + lost.getMessage());
            }
        }
    }
}
