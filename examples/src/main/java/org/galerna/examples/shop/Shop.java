package org.galerna.examples.shop;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.galerna.examples.shop.ShopNode.Taken;
import org.galerna.examples.shop.Warehouse.Parcel;
import org.galerna.messaging.MessagingException;
import org.galerna.messaging.MessagingNode;
import org.galerna.messaging.PeerStatistics;
import org.jspecify.annotations.Nullable;

/**
 * A shop of three processes of this machine: this one asks two others. It calls a service, subscribes to a stream, starts a
 * node again under load, changes the key of the cluster without a stop, and ends in good order. Needs no arguments.
 */
public final class Shop {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int EVENTS = 1000;
    private static final String OLD_KEY = "the key of yesterday";
    private static final String NEW_KEY = "the key of tomorrow";

    private final List<String> ports;
    private final Path keys;

    private Shop(List<String> ports, Path keys) {
        this.ports = ports;
        this.keys = keys;
    }

    /** Runs the shop. */
    public static void main(String[] arguments) throws Exception {
        Path keys = Files.createTempFile(
                "shop", ".keys", PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        try {
            Files.writeString(keys, OLD_KEY);
            new Shop(freePorts(), keys).run();
        } finally {
            Files.delete(keys);
        }
    }

    private void run() throws Exception {
        Process first = launch(1); // both at once
        Process second = awaitStart(2, launch(2));
        Process ignored = awaitStart(1, first);
        try (MessagingNode node = ShopNode.builder(0, keys, ports).start()) {
            call(node.service("node1", Warehouse.class, PATIENCE));
            listen(node);
            second = restart(node, second);
            second = changeKeys(node, second);
            for (PeerStatistics peer : node.statistics().peers()) {
                System.out.println("node " + peer.node() + " by " + peer.link() + ": " + peer.answered() + " answers, "
                        + peer.failed() + ", " + peer.latency());
            }
            node.close(PATIENCE);
        }
        System.out.println("node 1 has ended with " + end(first) + ", node 2 with " + end(second));
    }

    // ---- a typed service

    private static void call(Warehouse warehouse) throws Exception {
        System.out.println("tea left: " + warehouse.take("tea", 2));
        try {
            System.out.println("moons left: " + warehouse.take("moon", 1));
        } catch (Warehouse.SoldOut soldOut) {
            System.out.println("sold out: " + soldOut.getMessage());
        }
        Parcel parcel = Parcels.parcel(Parcels.parcel(null));
        System.out.println("the parcel is the same: " + Parcels.areSame(parcel, warehouse.echo(parcel)));
        System.out.println("in stock: "
                + warehouse.stock().get().keySet().stream().sorted().toList());
    }

    // ---- a stream

    /** Asks for ten events at a time. */
    private static final class Events implements Flow.Subscriber<Taken> {
        private static final int STEP = 10;

        private final CountDownLatch opened = new CountDownLatch(1);
        private final CountDownLatch heard = new CountDownLatch(EVENTS);
        private final AtomicInteger inOrder = new AtomicInteger();
        private Flow.@Nullable Subscription subscription;
        private int last = Integer.MAX_VALUE;
        private int asked = STEP;

        @Override
        public void onSubscribe(Flow.Subscription given) {
            subscription = given;
            given.request(STEP);
        }

        @Override
        public void onNext(Taken taken) {
            opened.countDown();
            if (taken.left() < last) {
                inOrder.incrementAndGet();
            }
            last = taken.left();
            heard.countDown();
            if (--asked == 0) {
                asked = STEP;
                Objects.requireNonNull(subscription).request(STEP);
            }
        }

        @Override
        public void onError(Throwable failure) {
            System.out.println("the stream has failed: " + failure.getMessage());
        }

        @Override
        public void onComplete() {
            System.out.println("the stream is complete");
        }
    }

    private static void listen(MessagingNode node) throws Exception {
        Events events = new Events();
        node.publisher("node1", Taken.class).subscribe(events);
        Warehouse warehouse = node.service("node1", Warehouse.class, PATIENCE);
        while (events.opened.getCount() > 0) { // the subscription takes a moment
            warehouse.take("tea", 1);
        }
        for (int each = 0; each < EVENTS; each++) {
            warehouse.take("tea", 1);
        }
        events.heard.await();
        System.out.println("events in order: " + (events.inOrder.get() >= EVENTS));
        Objects.requireNonNull(events.subscription).cancel();
    }

    // ---- a node that starts again

    private Process restart(MessagingNode node, Process process) throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger answered = new AtomicInteger();
        AtomicInteger failed = new AtomicInteger();
        Warehouse warehouse = node.service("node2", Warehouse.class, PATIENCE);
        Thread load = Thread.ofVirtual().start(() -> {
            while (!over.get()) {
                try {
                    int ignored = warehouse.take("tea", 1);
                    answered.incrementAndGet();
                } catch (MessagingException gone) {
                    failed.incrementAndGet();
                } catch (Warehouse.SoldOut none) {
                    throw new IllegalStateException(none);
                }
            }
        });
        await(answered, 1000);
        process.destroyForcibly().waitFor();
        Process again = start(2);
        await(answered, answered.get() + 1000);
        over.set(true);
        load.join();
        System.out.println("node 2 was killed under load and answers again; requests failed: " + (failed.get() > 0));
        return again;
    }

    private static void await(AtomicInteger counter, int value) {
        while (counter.get() < value) {
            Thread.onSpinWait();
        }
    }

    // ---- a change of keys

    /** Node 2 starts again after each step, so that each key opens a connection. */
    private Process changeKeys(MessagingNode node, Process process) throws Exception {
        Process second = process;
        for (List<String> step : List.of(List.of(OLD_KEY, NEW_KEY), List.of(NEW_KEY, OLD_KEY), List.of(NEW_KEY))) {
            Files.write(keys, step);
            int status = end(second);
            second = start(2);
            Duration roundTrip = node.check(2, PATIENCE);
            System.out.println("keys: " + step.size() + ", node 2 ended with " + status + " and answers again: "
                    + roundTrip.isPositive());
        }
        return second;
    }

    // ---- processes

    private Process start(int id) throws IOException {
        return awaitStart(id, launch(id));
    }

    private Process launch(int id) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1", // these live for seconds
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                ShopNode.class.getName(),
                Integer.toString(id),
                keys.toString()));
        command.addAll(ports);
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** A node says when it serves. */
    private static Process awaitStart(int id, Process process) throws IOException {
        BufferedReader output = process.inputReader();
        String line = output.readLine();
        if (line == null) {
            throw new UncheckedIOException(new IOException("node " + id + " has not started"));
        }
        return process;
    }

    /** Lets a process end in good order. */
    private static int end(Process process) throws IOException, InterruptedException {
        process.getOutputStream().close();
        return process.waitFor();
    }

    private static List<String> freePorts() throws IOException {
        List<String> ports = new ArrayList<>();
        List<ServerSocket> sockets = new ArrayList<>();
        for (int node = 0; node < 3; node++) {
            sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
        }
        for (ServerSocket each : sockets) {
            ports.add(Integer.toString(each.getLocalPort()));
            each.close();
        }
        return ports;
    }
}
