package org.galerna.testkit.process;

import java.util.Collections;
import java.util.List;
import org.galerna.device.Device;
import org.galerna.device.DeviceException;
import org.galerna.device.Devices;
import org.galerna.device.Request;
import org.galerna.link.Wireup;
import org.galerna.link.wireup.Wireups;
import org.galerna.testkit.Payload;

/**
 * Rank 0 talks to one rank for each {@link Step}, which ends without a word then, and at last to one that lives. The arguments are
 * the device and the milliseconds after which a rank ends in the middle of a large message.
 */
public final class KilledInSteps {
    /** Rank 0 says it last. */
    public static final String SURVIVED = "survived all";

    /** A rank says it, and the time, when it ends. */
    public static final String DIES = "dies at ";

    /** Behind the step and before the time at which rank 0 knows that the peer is gone. */
    public static final String NOTICED = " noticed at ";

    /** Behind the step and before the time at which rank 0 has begun to wait. */
    public static final String WAITED = " waited for since ";

    /** How a rank ends without a word. */
    public static final int STATUS = 137;

    private static final int EAGER_MESSAGES = 20;
    private static final int LARGE = 24 << 20;
    private static final List<Step> STEPS = List.of(Step.values());

    private KilledInSteps() {}

    /** What a rank has done when it ends; rank 0 is the other side of it. */
    public enum Step {
        /** Nothing: not even a connection. */
        NOTHING,
        /** It has sent messages that nobody has received. */
        EAGER,
        /** It has announced a large message, which nobody wants yet. */
        ANNOUNCED,
        /** A large message of its own is being moved. */
        SENDING,
        /** A large message to it is announced, and it has not said that it wants it. */
        NOT_WANTED,
        /** A large message to it is being moved. */
        RECEIVING,
        /** It leaves, and a large message of its own is being moved, which nobody has received. */
        LEAVING
    }

    /** Runs a rank of a job that has two more than there are steps. */
    public static void main(String[] arguments) {
        try (Wireup wireup = Wireups.ofProcess().orElseThrow();
                Device device = Devices.open(arguments[0], wireup)) {
            wireup.fence(); // no rank ends while another one still starts
            int rank = device.rank();
            int last = device.size() - 1;
            if (rank == 0) {
                for (int peer = 1; peer < last; peer++) {
                    survive(device, STEPS.get(peer - 1), peer);
                }
                device.send(Payload.of(3, LARGE), 0, LARGE, last, 1, 0);
                System.out.println(SURVIVED);
            } else if (rank == last) {
                byte[] in = new byte[LARGE];
                device.recv(in, 0, LARGE, 0, 1, 0).release();
                Payload.difference(in, 3).ifPresent(wrong -> {
                    throw new AssertionError(wrong);
                });
            } else {
                die(device, STEPS.get(rank - 1), Long.parseLong(arguments[1]));
            }
        }
    }

    /** Ends without a word, and says when by the clock of the machine, which is that of all ranks. */
    public static void die() {
        System.out.println(DIES + System.currentTimeMillis());
        System.out.flush();
        Runtime.getRuntime().halt(STATUS);
    }

    private static void die(Device device, Step step, long millis) {
        switch (step) {
            case NOTHING -> {}
            case EAGER -> {
                for (int number = 0; number < EAGER_MESSAGES; number++) {
                    device.send(new byte[100], 0, 100, 0, 2, 0);
                }
            }
            case ANNOUNCED -> {
                device.isend(new byte[LARGE], 0, LARGE, 0, 3, 0);
                device.send(new byte[1], 0, 1, 0, 2, 0);
            }
            case SENDING -> {
                Request request = device.isend(new byte[LARGE], 0, LARGE, 0, 3, 0);
                dieSoon(millis);
                request.await();
            }
            case NOT_WANTED -> device.recv(new byte[1], 0, 1, 0, 2, 0).release();
            case RECEIVING -> {
                device.send(new byte[1], 0, 1, 0, 2, 0);
                dieSoon(millis);
                device.recv(new byte[LARGE], 0, LARGE, 0, 3, 0).release();
            }
            case LEAVING -> {
                device.isend(Payload.of(4, LARGE), 0, LARGE, 0, 3, 0);
                device.send(new byte[1], 0, 1, 0, 2, 0);
                dieSoon(millis);
                device.close();
            }
        }
        die();
    }

    /** In the middle of what this rank does next. */
    private static void dieSoon(long millis) {
        Thread.ofPlatform().daemon().start(() -> {
            try {
                Thread.currentThread().join(millis);
            } catch (InterruptedException hurry) {
                Thread.currentThread().interrupt();
            }
            die();
        });
    }

    /** What rank 0 does with a rank that ends; it fails at some of it, or never at all. */
    private static List<Runnable> calls(Device device, Step step, int peer) {
        Runnable one = () -> device.recv(new byte[1], 0, 1, peer, 2, 0).release();
        Runnable eager = () -> device.recv(new byte[100], 0, 100, peer, 2, 0).release();
        Runnable large =
                () -> device.recv(new byte[LARGE], 0, LARGE, peer, 3, 0).release();
        return switch (step) {
            case NOTHING -> List.of(one);
            case EAGER -> Collections.nCopies(EAGER_MESSAGES + 1, eager);
            case ANNOUNCED -> List.of(one, large, one); // it may have been fetched from: then the last one fails
            case SENDING -> List.of(large, one);
            case NOT_WANTED -> {
                Request unwanted = device.isend(new byte[LARGE], 0, LARGE, peer, 3, 0);
                yield List.of(() -> device.send(new byte[1], 0, 1, peer, 2, 0), unwanted::await);
            }
            case RECEIVING -> List.of(one, () -> device.send(new byte[LARGE], 0, LARGE, peer, 3, 0), one);
            case LEAVING -> List.of(one, () -> awaitEnd(device, peer), () -> receiveRightBytes(device, peer), one);
        };
    }

    /** Waits for a message that never comes, so that whatever else comes has time for that. */
    private static void awaitEnd(Device device, int peer) {
        try {
            device.recv(new byte[1], 0, 1, peer, 5, 0).release();
        } catch (DeviceException ended) {
            return;
        }
        throw new AssertionError("there is a message that was not sent");
    }

    private static void receiveRightBytes(Device device, int peer) {
        byte[] in = new byte[LARGE];
        device.recv(in, 0, LARGE, peer, 3, 0).release();
        Payload.difference(in, 4).ifPresent(wrong -> {
            throw new AssertionError("a message was received whose bytes have not come: " + wrong);
        });
    }

    private static void survive(Device device, Step step, int peer) {
        long since = System.currentTimeMillis();
        try {
            for (Runnable call : calls(device, step, peer)) {
                since = System.currentTimeMillis();
                call.run();
            }
        } catch (DeviceException named) {
            System.out.println(step + WAITED + since);
            System.out.println(step + NOTICED + System.currentTimeMillis());
            if (!String.valueOf(named.getMessage()).contains("rank " + peer)) {
                throw new AssertionError(step + ": the one that has ended is not named", named);
            }
            System.out.println(step + ": " + named.getMessage());
            return;
        }
        throw new AssertionError(step + ": a call that needs a rank that has ended has succeeded");
    }
}
