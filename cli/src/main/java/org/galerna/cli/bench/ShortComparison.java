package org.galerna.cli.bench;

import java.util.List;
import java.util.stream.Stream;
import org.galerna.bench.galerna.GalernaSystems;
import org.galerna.bench.messaging.MessagingSystem;
import org.galerna.bench.sockets.SocketSystem;
import org.galerna.bench.suite.Benchmark;
import org.galerna.bench.suite.ContenderFactory;
import org.galerna.bench.suite.Task;
import org.galerna.cli.options.Sizes;
import org.galerna.memory.Cpus;

/** What two builds are compared by before a change is taken: each way that messages have, in less than five minutes. */
final class ShortComparison {
    private static final int PAIR = MeasureCommand.PAIR;
    private static final int MOST_RANKS = 4;
    private static final int WINDOW = 64;
    private static final int MESSAGING_WINDOW = 16_384;

    private ShortComparison() {}

    static List<Task> tasks() {
        List<ContenderFactory> levels =
                List.of(GalernaSystems.mpi(1), GalernaSystems.processes("shmdev"), GalernaSystems.processes("niodev"));
        List<ContenderFactory> nodes = Stream.of("shm", "tcp")
                .<ContenderFactory>map(link -> new MessagingSystem(link, 1, 1, 1))
                .toList();
        List<ContenderFactory> sockets = List.of(SocketSystem.fast());
        int ranks = Math.clamp(Cpus.available(), PAIR, MOST_RANKS);
        return List.of(
                task(Benchmark.LATENCY, PAIR, "8", 0, List.of(GalernaSystems.cacheLine())),
                task(Benchmark.LATENCY, PAIR, "8,1K,64K,1M", 0, levels),
                task(Benchmark.RATE, PAIR, "8", WINDOW, levels),
                new Task(Benchmark.BARRIER, ranks, List.of(0L), 0, levels),
                task(Benchmark.BCAST, ranks, "64K", 0, levels),
                task(Benchmark.ALLREDUCE, ranks, "8", 0, levels),
                task(Benchmark.LATENCY, PAIR, "64", 0, nodes),
                task(Benchmark.RATE, PAIR, "64", MESSAGING_WINDOW, nodes),
                task(Benchmark.ECHO, PAIR, "64,64K", 0, sockets),
                task(Benchmark.WRITES, PAIR, "64K", 0, sockets));
    }

    private static Task task(
            Benchmark benchmark, int ranks, String sizes, int window, List<ContenderFactory> contenders) {
        return new Task(benchmark, ranks, Sizes.parse("--sizes", sizes), window, contenders);
    }
}
