package org.galerna.bench.messaging;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import org.galerna.bench.suite.ContenderServer;
import org.galerna.link.wireup.FolderWireup;
import org.galerna.messaging.MessagingNode;
import org.galerna.messaging.NodeBuilder;

/**
 * A node under measurement: {@code MessagingRank <rank> <ranks> <link> <senders> <arrays> <handlers> <folder of the pipes>}. The
 * process of rank 0 starts the others. Nodes are not bound to cores, for each has several threads.
 */
public final class MessagingRank {
    private static final int KEY_BYTES = 32;

    private MessagingRank() {}

    /** The command that runs a rank, without the folder. */
    static List<String> command(int rank, int ranks, MessagingSystem system) {
        List<String> command = system.build().java(List.of());
        command.addAll(List.of(
                MessagingRank.class.getName(),
                Integer.toString(rank),
                Integer.toString(ranks),
                system.link(),
                Integer.toString(system.senders()),
                Integer.toString(system.arrays()),
                Integer.toString(system.handlers())));
        return command;
    }

    /** Runs one rank. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        int rank = Integer.parseInt(arguments[0]);
        int ranks = Integer.parseInt(arguments[1]);
        MessagingSystem system = new MessagingSystem(
                arguments[2],
                Integer.parseInt(arguments[3]),
                Integer.parseInt(arguments[4]),
                Integer.parseInt(arguments[5]));
        Path folder = Path.of(arguments[6]);
        List<Process> others = new ArrayList<>();
        for (int other = 1; rank == 0 && other < ranks; other++) {
            List<String> command = command(other, ranks, system);
            command.add(folder.toString());
            others.add(new ProcessBuilder(command).inheritIO().start());
        }
        try (FolderWireup wireup = new FolderWireup(folder, rank, ranks)) {
            serve(wireup, system, folder);
        } catch (Throwable failure) {
            // the other ranks would wait for this one for ever
            System.err.println("rank " + rank + ": " + failure);
            Runtime.getRuntime().halt(1);
        }
        for (Process other : others) {
            other.waitFor();
        }
    }

    private static void serve(FolderWireup wireup, MessagingSystem system, Path folder) throws IOException {
        if (wireup.rank() == 0) {
            byte[] key = new byte[KEY_BYTES];
            new SecureRandom().nextBytes(key);
            wireup.put("cluster", key); // in a folder that only this user can enter
        }
        wireup.fence();
        Traffic traffic = new Traffic(wireup.size(), system.handlers());
        NodeBuilder builder = MessagingNode.builder(wireup.rank())
                .address(wireup.rank(), loopback(0))
                .key(wireup.get(0, "cluster"))
                .links(system.link())
                .handlers(system.handlers());
        traffic.register(builder);
        StoreMix store = new StoreMix(wireup.size());
        store.register(builder);
        try (MessagingNode node = builder.start();
                MessagingBenchmarks benchmarks = new MessagingBenchmarks(node, traffic, store, wireup.size(), system)) {
            wireup.put(
                    "port",
                    ByteBuffer.allocate(Integer.BYTES)
                            .putInt(node.address().getPort())
                            .array());
            wireup.fence();
            for (int other = 0; other < wireup.size(); other++) {
                if (other != wireup.rank()) {
                    node.addAddress(
                            other,
                            loopback(ByteBuffer.wrap(wireup.get(other, "port")).getInt()));
                }
            }
            wireup.fence();
            ContenderServer.serve(folder, wireup.rank(), benchmarks);
            wireup.fence(); // nobody leaves while others measure
        }
    }

    private static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }
}
