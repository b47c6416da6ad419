package org.galerna.link.shm;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.galerna.device.Device;
import org.galerna.device.DeviceException;
import org.galerna.device.Devices;
import org.galerna.device.Request;
import org.galerna.link.Channel;
import org.galerna.link.LinkOptions;
import org.galerna.link.LinkProvider;
import org.galerna.link.Wireup;
import org.galerna.link.wireup.Wireups;
import org.galerna.testkit.Payload;
import org.galerna.testkit.link.LinkRank;

/** What the ranks of {@link ShmProcessesTest} do, each in a JVM of its own. They tell the test by what they print. */
final class ShmPrograms {
    private static final int[] SIZES = {0, 1, 40, 1000, 8000, 8192, 65_536, 1 << 20, 3_000_001};

    private ShmPrograms() {}

    public static void main(String[] arguments) {
        Wireup wireup = Wireups.ofProcess().orElseThrow();
        switch (arguments[0]) {
            case "exchange" -> exchange(wireup);
            case "exit" -> exit(wireup);
            case "sleep" -> sleep(wireup);
            case "lose" -> lose(wireup);
            case "claim" -> claim(wireup, Boolean.parseBoolean(arguments[1]));
            case "claim-in-queue" ->
                claimInQueue(wireup, Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]));
            case "flood" -> flood(wireup);
            case "pause" -> pause(wireup);
            case "wait" -> waitForTheSecond(wireup);
            default -> throw new IllegalArgumentException(arguments[0]);
        }
        wireup.close();
    }

    private static Device open(Wireup wireup) {
        return Devices.open("shmdev", wireup);
    }

    /** All send messages of all sizes to all. */
    private static void exchange(Wireup wireup) {
        try (Device device = open(wireup)) {
            for (int size : SIZES) {
                List<Request> sends = new ArrayList<>();
                for (int peer = 0; peer < device.size(); peer++) {
                    byte[] bytes = Payload.of(Payload.seed(device.rank(), size), size);
                    sends.add(device.isend(bytes, 0, size, peer, size, 0));
                }
                for (int peer = 0; peer < device.size(); peer++) {
                    byte[] bytes = new byte[size];
                    device.recv(bytes, 0, size, peer, size, 0).release();
                    Payload.difference(MemorySegment.ofArray(bytes), 0, size, Payload.seed(peer, size))
                            .ifPresent(wrong -> {
                                throw new AssertionError(wrong);
                            });
                }
                sends.forEach(Request::await);
            }
        }
        System.out.println("exchanged");
    }

    /** Ends without closing anything. */
    private static void exit(Wireup wireup) {
        Device device = open(wireup);
        device.send(new byte[100], 0, 100, 1 - device.rank(), 1, 0);
        device.recv(new byte[100], 0, 100, 1 - device.rank(), 1, 0).release();
        System.exit(0);
    }

    /** Talks, and then waits to be ended. */
    private static void sleep(Wireup wireup) {
        Device device = open(wireup);
        byte[] bytes = new byte[100_000];
        Request send = device.isend(bytes, 0, bytes.length, 1 - device.rank(), 1, 0);
        device.recv(new byte[100_000], 0, bytes.length, 1 - device.rank(), 1, 0).release();
        send.await();
        System.out.println("ready");
        while (true) {
            LockSupport.park();
        }
    }

    /** Rank 1 waits to be killed; rank 0 waits for it in every way, rank 2 without having talked to it. */
    private static void lose(Wireup wireup) {
        Device device = open(wireup);
        if (device.rank() == 1) {
            device.recv(new byte[1], 0, 1, 0, 1, 0).release();
            System.out.println("ready");
            while (true) {
                LockSupport.park();
            }
        }
        List<Request> requests = new ArrayList<>();
        byte[] bytes = new byte[1 << 20];
        if (device.rank() == 0) {
            device.send(bytes, 0, 1, 1, 1, 0);
            requests.add(device.isend(bytes, 0, bytes.length, 1, 2, 0));
            requests.add(device.issend(bytes, 0, 8, 1, 3, 0));
        }
        requests.add(device.irecv(new byte[8], 0, 8, 1, 4, 0));
        for (Request each : requests) {
            report(each::await);
        }
        report(() -> device.probe(1, 5, 0));
        report(() -> device.send(bytes, 0, 8, 1, 6, 0));
        device.close();
    }

    private static void report(Runnable call) {
        try {
            call.run();
            System.out.println("no failure");
        } catch (DeviceException failure) {
            System.out.println(failure.getMessage());
        }
    }

    /** Rank 1 is killed between claiming and committing; rank 0 takes what was committed. */
    private static void claim(Wireup wireup, boolean concurrent) {
        LinkRank rank = LinkRank.open(LinkProvider.named("shm"), wireup, new LinkOptions(0, 0, concurrent));
        if (rank.rank() == 1) {
            for (int number = 0; number < 10; number++) {
                rank.put(0, 3000, number);
            }
            long abandoned = rank.claim(0, 5000);
            if (concurrent) {
                rank.put(0, 100, 10);
            }
            System.out.println("claimed " + Channel.offset(abandoned));
            while (true) {
                LockSupport.park();
            }
        }
        rank.pollUntil("the loss of rank 1", () -> rank.lost().containsKey(1));
        System.out.println(rank.inbox(1).size() + " frames, " + rank.lost().get(1));
        rank.close();
    }

    /**
     * Ranks 1 and 2 are killed between claiming and committing in the queue of rank 0, to which rank 3 sends. The queue has
     * room for less than that.
     */
    private static void claimInQueue(Wireup wireup, int length, int frames) {
        LinkRank rank = LinkRank.open(LinkProvider.named("shm"), wireup, LinkOptions.DEFAULT);
        switch (rank.rank()) {
            case 0 -> {
                for (int number = 0; number < frames; number++) {
                    rank.expect(3, lengthOf(number), number);
                }
                rank.pollUntil("the losses", () -> rank.lost().keySet().containsAll(List.of(1, 2)));
                System.out.println("got all, and of rank 1 " + rank.inbox(1).size() + ", " + rank.lost());
                rank.send(3, 8, 1);
            }
            case 3 -> {
                read();
                for (int number = 0; number < frames; number++) {
                    rank.send(0, lengthOf(number), number);
                }
                rank.expect(0, 8, 1);
            }
            default -> {
                rank.send(0, 100, 1);
                long claim = rank.claim(0, length);
                System.out.println("claimed " + Channel.offset(claim));
                while (true) {
                    LockSupport.park();
                }
            }
        }
        rank.close();
    }

    private static int lengthOf(int number) {
        return switch (number % 3) {
            case 0 -> 8;
            case 1 -> 40;
            default -> 5000;
        };
    }

    private static void read() {
        try {
            int ignored = System.in.read();
        } catch (java.io.IOException impossible) {
            throw new AssertionError(impossible);
        }
    }

    /** Rank 0 sends to rank 1, which does not poll and is killed. */
    private static void flood(Wireup wireup) {
        LinkRank rank = LinkRank.open(LinkProvider.named("shm"), wireup, LinkOptions.DEFAULT);
        if (rank.rank() == 1) {
            System.out.println("ready");
            while (true) {
                LockSupport.park();
            }
        }
        Channel channel = rank.link().connect(1);
        long claim;
        while ((claim = channel.claim(1000)) >= 0) {
            channel.commit(claim, 1000);
        }
        System.out.println("refused " + claim);
        while ((claim = channel.claim(1000)) == Channel.BACK_PRESSURE) {
            rank.poll();
            Thread.yield();
        }
        System.out.println("refused " + claim);
        rank.close();
    }

    /** Rank 1 is stopped for a while, while rank 0 sends to it. */
    private static void pause(Wireup wireup) {
        int messages = 2000;
        try (Device device = open(wireup)) {
            byte[] large = new byte[2 << 20];
            if (device.rank() == 0) {
                device.recv(new byte[1], 0, 1, 1, 0, 0).release();
                System.in.read();
                List<Request> sends = new ArrayList<>();
                for (int number = 0; number < messages; number++) {
                    sends.add(device.isend(new int[] {number}, 0, 4, 1, 1, 0));
                }
                sends.add(device.isend(Payload.of(7, large.length), 0, large.length, 1, 2, 0));
                System.out.println("sent");
                sends.forEach(Request::await);
                device.recv(new byte[1], 0, 1, 1, 3, 0).release();
                return;
            }
            device.send(new byte[1], 0, 1, 0, 0, 0);
            System.out.println("ready");
            int[] number = new int[1];
            for (int expected = 0; expected < messages; expected++) {
                device.recv(number, 0, 4, 0, 1, 0).release();
                if (number[0] != expected) {
                    throw new AssertionError("message " + number[0] + " instead of " + expected);
                }
            }
            device.recv(large, 0, large.length, 0, 2, 0).release();
            System.out.println("all there " + Payload.difference(MemorySegment.ofArray(large), 0, large.length, 7));
            device.send(new byte[1], 0, 1, 0, 3, 0);
        } catch (java.io.IOException impossible) {
            throw new AssertionError(impossible);
        }
    }

    /** All wait for a message of the second rank, which sends it when it reads something. */
    private static void waitForTheSecond(Wireup wireup) {
        try (Device device = open(wireup)) {
            System.out.println("ready");
            if (device.rank() == 1 && System.in.read() >= 0) {
                for (int peer = 0; peer < device.size(); peer++) {
                    device.send(new byte[1], 0, 1, peer, 1, 0);
                }
            }
            device.recv(new byte[1], 0, 1, 1, 1, 0).release();
            System.out.println("has come");
        } catch (java.io.IOException impossible) {
            throw new AssertionError(impossible);
        }
    }
}
