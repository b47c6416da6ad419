package org.galerna.bench.galerna;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.galerna.bench.suite.ContenderServer;
import org.galerna.bench.suite.CoreOfARank;
import org.galerna.device.Device;
import org.galerna.device.Devices;
import org.galerna.link.Link;
import org.galerna.link.LinkOptions;
import org.galerna.link.LinkProvider;
import org.galerna.link.Wireup;
import org.galerna.link.wireup.InProcessWireup;

/**
 * The levels below package {@code mpi} and the machine's limits, each rank a plain thread: {@code ThreadRanks
 * device|link|cache-line|array-copy <ranks> <folder of the pipes>}.
 */
public final class ThreadRanks {
    private static final String DEVICE = "smdev";
    private static final String LINK = "threads";

    private ThreadRanks() {}

    /** Makes the messenger of a rank, on its thread. */
    @FunctionalInterface
    private interface Level {
        Messenger open(int rank);
    }

    /** Runs all ranks. */
    public static void main(String[] arguments) throws InterruptedException {
        int ranks = Integer.parseInt(arguments[1]);
        Path folder = Path.of(arguments[2]);
        Level level = level(arguments[0], ranks);
        List<Thread> threads = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            int mine = rank;
            threads.add(Thread.ofPlatform().name("rank-" + rank).start(() -> {
                CoreOfARank.bind(mine, ranks);
                serve(folder, mine, level);
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static Level level(String name, int ranks) {
        SharedMaximum maximum = new SharedMaximum();
        List<InProcessWireup> wireups = InProcessWireup.create(ranks, (rank, status, reason) -> end(reason));
        return switch (name) {
            case "device" -> rank -> new DeviceMessenger(device(wireups.get(rank)), maximum);
            case "link" -> rank -> new LinkMessenger(link(wireups.get(rank)), rank, ranks, maximum);
            case "cache-line" -> {
                CacheLineMessenger.Line[] lines = {new CacheLineMessenger.Line(), new CacheLineMessenger.Line()};
                yield rank -> new CacheLineMessenger(rank, lines, maximum);
            }
            case "array-copy" -> ArrayCopyMessenger::new;
            default -> throw new IllegalArgumentException("no level named \"" + name + "\"");
        };
    }

    private static Device device(Wireup wireup) {
        return Devices.open(DEVICE, wireup);
    }

    private static Link link(Wireup wireup) {
        Link link = LinkProvider.named(LINK).open(wireup, LinkOptions.DEFAULT);
        wireup.fence();
        return link;
    }

    private static void serve(Path folder, int rank, Level level) {
        try {
            ContenderServer.serve(folder, rank, new Benchmarks(level.open(rank)));
        } catch (Throwable failure) {
            // the other ranks would wait for this one for ever
            end("rank " + rank + ": " + failure);
        }
    }

    private static void end(String reason) {
        System.err.println(reason);
        Runtime.getRuntime().halt(1);
    }
}
