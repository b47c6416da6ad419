package org.galerna.testkit.process;

import static org.galerna.device.Device.ANY_SOURCE;

import java.util.ArrayList;
import java.util.List;
import org.galerna.device.Device;
import org.galerna.device.DeviceException;
import org.galerna.device.Devices;
import org.galerna.device.Request;
import org.galerna.link.CommunicationException;
import org.galerna.link.Wireup;
import org.galerna.link.wireup.Wireups;
import org.galerna.testkit.Payload;
import org.galerna.testkit.wireup.ForwardingWireup;
import org.jspecify.annotations.Nullable;

/** What the ranks of tests of devices between processes run; the name of the device is the first argument of all of them. */
public final class DevicePrograms {
    private static final int[] SIZES = {0, 1, 9, 1000, 8192, 8193, 65_536, 100_003, 1 << 20, (5 << 20) + 3};

    private DevicePrograms() {}

    private static Wireup wireup() {
        return Wireups.ofProcess().orElseThrow();
    }

    private static void say(String text) {
        System.out.println(text);
    }

    /** Every rank sends messages of many sizes to every other one, and checks those that come. */
    public static final class Exchange {
        private Exchange() {}

        /** Runs. */
        public static void main(String[] arguments) {
            try (Wireup wireup = wireup();
                    Device device = Devices.open(arguments[0], wireup)) {
                for (int round = 0; round < 2; round++) {
                    for (int size : SIZES) {
                        exchange(device, size, round);
                    }
                }
                say("exchanged by " + device.name());
            }
        }

        private static void exchange(Device device, int size, int round) {
            List<Request> sends = new ArrayList<>();
            for (int peer = 0; peer < device.size(); peer++) {
                byte[] bytes = Payload.of(Payload.seed(device.rank(), peer + round), size);
                sends.add(device.isend(bytes, 0, size, peer, size, 0));
            }
            for (int peer = 0; peer < device.size(); peer++) {
                byte[] bytes = new byte[size];
                device.recv(bytes, 0, size, peer, size, 0).release();
                Payload.difference(bytes, Payload.seed(peer, device.rank() + round))
                        .ifPresent(wrong -> {
                            throw new AssertionError(wrong);
                        });
            }
            for (Request send : sends) {
                send.await();
                send.release();
            }
        }
    }

    /** The last rank only says when it is ready; each other one waits for it, and says how that has ended. */
    public static final class WaitForTheLast {
        private WaitForTheLast() {}

        /** Runs; how the others wait is the second argument. */
        public static void main(String[] arguments) throws Exception {
            Wireup wireup = wireup();
            Device device = Devices.open(arguments[0], wireup);
            int last = device.size() - 1;
            byte[] bytes = new byte[1 << 20];
            if (device.rank() == last) {
                for (int peer = 0; peer < last; peer++) {
                    device.send(bytes, 0, 8, peer, 2, 0);
                    device.recv(bytes, 0, 8, peer, 2, 0).release();
                }
                say("ready");
                synchronized (device) {
                    while (true) {
                        device.wait();
                    }
                }
            }
            device.recv(bytes, 0, 8, last, 2, 0).release();
            device.send(bytes, 0, 8, last, 2, 0);
            say("ready");
            try {
                switch (arguments[1]) {
                    case "receive" -> device.recv(bytes, 0, 8, last, 1, 0);
                    case "probe" -> device.probe(last, 1, 0);
                    case "poll" -> {
                        while (device.iprobe(last, 1, 0) == null) {
                            Thread.onSpinWait();
                        }
                    }
                    case "synchronous" -> device.ssend(bytes, 0, 8, last, 1, 0);
                    case "rendezvous" -> device.send(bytes, 0, bytes.length, last, 1, 0);
                    case "eager" -> {
                        while (true) {
                            device.send(bytes, 0, 1000, last, 1, 0);
                        }
                    }
                    case "leave" -> {
                        Request unwanted = device.isend(bytes, 0, bytes.length, last, 1, 0);
                        device.close();
                        unwanted.await();
                    }
                    case "wildcard" -> device.recv(bytes, 0, 8, ANY_SOURCE, 1, 0);
                    default -> throw new IllegalArgumentException(arguments[1]);
                }
                say("over");
            } catch (DeviceException lost) {
                say("failed: " + lost.errorClass() + ": " + lost.getMessage());
            }
            device.close();
            wireup.close();
            say("closed");
        }
    }

    /** The last rank ends without a word in a call of its wire-up; each other one talks to it, and says how that has ended. */
    public static final class EndWhileJoining {
        private EndWhileJoining() {}

        /** Runs; the call is the second argument: the first {@code put}, {@code fence} or {@code get}, or {@code talk} for none. */
        public static void main(String[] arguments) {
            Wireup real = wireup();
            boolean last = real.rank() == real.size() - 1;
            try (Wireup wireup = last ? new Ending(real, arguments[1]) : real;
                    Device device = Devices.open(arguments[0], wireup)) {
                if (last) {
                    KilledInSteps.die();
                }
                Exchange.exchange(device, 1 << 20, 0);
                say("over");
            } catch (CommunicationException lost) {
                say("failed: " + lost.getMessage());
            }
        }

        private static final class Ending extends ForwardingWireup {
            private final String call;

            Ending(Wireup real, String call) {
                super(real);
                this.call = call;
            }

            private void endIn(String called) {
                if (call.equals(called)) {
                    KilledInSteps.die();
                }
            }

            @Override
            public void put(String key, byte[] value) {
                endIn("put");
                super.put(key, value);
            }

            @Override
            public void fence() {
                endIn("fence");
                super.fence();
            }

            @Override
            public byte[] get(int rank, String key) {
                endIn("get");
                return super.get(rank, key);
            }
        }
    }

    /** Needs the signals that the virtual machine handles by itself. */
    public static final class Signals {
        private static final int CHECKS = 50_000;

        private Signals() {}

        /** Runs. */
        public static void main(String[] arguments) throws Exception {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> say("the hook has run")));
            try (Wireup wireup = wireup();
                    Device device = Devices.open(arguments[0], wireup)) {
                device.send(new byte[8], 0, 8, 0, 1, 0);
                device.recv(new byte[8], 0, 8, 0, 1, 0).release();
                int caught = 0;
                for (int check = 0; check < CHECKS; check++) {
                    caught += isNull(check % 2 == 0 ? null : "text") ? 1 : 0;
                }
                say("null was caught " + (caught == CHECKS / 2 ? "always" : caught + " times"));
                synchronized (device) {
                    while (true) {
                        device.wait();
                    }
                }
            }
        }

        /** Without an explicit check, so that compiled code runs into SIGSEGV. */
        @SuppressWarnings("NullAway")
        private static boolean isNull(@Nullable String text) {
            try {
                return text.length() < 0;
            } catch (NullPointerException caught) {
                return true;
            }
        }
    }
}
