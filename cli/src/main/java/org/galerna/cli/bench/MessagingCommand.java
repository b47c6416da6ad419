package org.galerna.cli.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.galerna.bench.galerna.GalernaSystems;
import org.galerna.bench.messaging.MessagingSystem;
import org.galerna.bench.suite.Benchmark;
import org.galerna.bench.suite.ContenderFactory;
import org.galerna.bench.suite.Task;
import org.galerna.cli.options.Sizes;
import org.galerna.cli.usage.UsageException;
import org.galerna.cli.usage.Version;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code galerna bench messaging}. */
@Command(
        name = "messaging",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description =
                "Measures object messaging between processes: typed messages one way, both ways and from all nodes to all, "
                        + "requests with percentiles, mixes of operations on a store of rows, allocation, and the cost of "
                        + "an idle node. Compares with Aeron by memory and UDP, Netty, and package mpi on the same devices; requests with gRPC and RMI, too.")
final class MessagingCommand extends MeasureCommand {
    private static final List<Long> SHORT = Sizes.parse("--sizes", "8,64,256,1K");
    private static final List<Long> LONG = Sizes.parse("--sizes", "4K,64K,1M");
    private static final List<Long> LONGEST = Sizes.parse("--sizes", "64K,1M");
    private static final List<Long> LATENCIES = Sizes.parse("--sizes", "64,1K,64K");
    private static final List<Long> ONE = List.of(64L);
    private static final List<Long> ROWS = Sizes.parse("--sizes", "100,1000");
    private static final List<String> NETWORKS = List.of("shm", "tcp", "unix", "verbs");
    private static final List<Long> NO_SIZE = List.of(0L);
    private static final List<String> COMPARED = List.of("aeron", "aeron-udp", "netty");

    /** For requests alone, with those above: where each message is a call, a table of rates takes long. */
    private static final List<String> CALLED = List.of("grpc", "rmi");

    /** About a millisecond of short messages: nodes that rest between two repetitions take 0.3 ms to wake. */
    private static final int SHORT_WINDOW = 16_384;

    private static final int LONG_WINDOW = 64;
    private static final List<Integer> ONE_SENDER = List.of(1);
    private static final List<Integer> FEW_AND_MANY = List.of(1, 4);
    private static final int MOST_NODES = 16;
    private static final int MOST_THREADS = 64;

    @Option(
            names = "--link",
            paramLabel = "LINK",
            split = ",",
            description = "networks to measure, separated by commas; default: shm,tcp")
    private List<String> links = List.of("shm", "tcp");

    @Option(
            names = "--senders",
            paramLabel = "N",
            split = ",",
            description =
                    "numbers of threads of each node that send at once, separated by commas; default: 1, and 1,4 for rate")
    private List<Integer> senders = List.of();

    @Option(
            names = "--handlers",
            paramLabel = "N",
            split = ",",
            description = "numbers of threads of each node that receive, separated by commas; default: 1")
    private List<Integer> handlers = List.of(1);

    @Option(
            names = "--nodes",
            paramLabel = "N",
            split = ",",
            description = "numbers of nodes that all send to all, separated by commas; default: 2")
    private List<Integer> nodes = List.of(2);

    @Option(
            names = "--workload",
            paramLabel = "NAME",
            split = ",",
            description =
                    "what to measure: rate, bandwidth, bibandwidth, latency, exchange, store, memory; default: all")
    private List<String> workloads =
            List.of("rate", "bandwidth", "bibandwidth", "latency", "exchange", "store", "memory");

    @Override
    List<Task> tasks() {
        check("--senders", senders, 1, MOST_THREADS);
        check("--handlers", handlers, 1, MOST_THREADS);
        check("--nodes", nodes, PAIR, MOST_NODES);
        for (String link : links) {
            if (!NETWORKS.contains(link)) {
                throw new UsageException(
                        "--link: there is no network \"" + link + "\", only " + String.join(", ", NETWORKS));
            }
        }
        return workloads.stream().flatMap(this::workload).toList();
    }

    private Stream<Task> workload(String name) {
        List<Integer> usual = sendersOr(ONE_SENDER);
        List<ContenderFactory> systems = systems(usual, handlers);
        List<ContenderFactory> single = systems(List.of(usual.getFirst()), List.of(handlers.getFirst()));
        return switch (name) {
            case "rate" ->
                pair(Benchmark.RATE, SHORT, SHORT_WINDOW, withPeers(systems(sendersOr(FEW_AND_MANY), handlers)));
            case "bandwidth" -> pair(Benchmark.BANDWIDTH, LONG, LONG_WINDOW, withPeers(systems));
            case "bibandwidth" -> pair(Benchmark.BIBANDWIDTH, LONGEST, LONG_WINDOW, systems);
            case "latency" ->
                pair(
                        Benchmark.LATENCY,
                        LATENCIES,
                        0,
                        withPeers(
                                join(single, devices()),
                                Stream.concat(COMPARED.stream(), CALLED.stream())
                                        .toList()));
            case "exchange" ->
                nodes.stream()
                        .map(number ->
                                new Task(Benchmark.EXCHANGE, number, options().sizes(ONE), SHORT_WINDOW, systems));
            case "store" -> Benchmark.stores().stream().flatMap(mix -> pair(mix, ROWS, 0, systems));
            case "memory" ->
                Stream.of(
                        new Task(Benchmark.ALLOCATION, PAIR, options().sizes(ONE), 0, single),
                        new Task(Benchmark.IDLE, PAIR, NO_SIZE, 0, single));
            default ->
                throw new UsageException("--workload: there is no workload \"" + name
                        + "\", only rate, bandwidth, bibandwidth, latency, exchange, store, memory");
        };
    }

    private List<Integer> sendersOr(List<Integer> usual) {
        return senders.isEmpty() ? usual : senders;
    }

    private Stream<Task> pair(Benchmark benchmark, List<Long> sizes, int window, List<ContenderFactory> contenders) {
        return Stream.of(new Task(benchmark, PAIR, options().sizes(sizes), window, contenders));
    }

    private List<ContenderFactory> systems(List<Integer> sendersOfEach, List<Integer> handlersOfEach) {
        int arrays = Collections.max(sendersOfEach);
        List<ContenderFactory> systems = new ArrayList<>();
        for (String link : links) {
            for (int sending : sendersOfEach) {
                handlersOfEach.forEach(handling -> systems.add(new MessagingSystem(link, sending, arrays, handling)));
            }
        }
        return systems;
    }

    /** What package mpi makes of the same networks. */
    private List<ContenderFactory> devices() {
        return links.stream()
                .flatMap(link -> switch (link) {
                    case "shm" -> Stream.of(GalernaSystems.processes("shmdev"));
                    case "tcp" -> Stream.of(GalernaSystems.processes("niodev"));
                    default -> Stream.of();
                })
                .toList();
    }

    private List<ContenderFactory> withPeers(List<ContenderFactory> systems) {
        return withPeers(systems, COMPARED);
    }

    private List<ContenderFactory> withPeers(List<ContenderFactory> systems, List<String> names) {
        Stream<ContenderFactory> usual =
                ContenderFactory.peers().stream().filter(peer -> names.contains(peer.name()) && !isCompared(peer));
        return join(systems, Stream.concat(options().peers().stream(), usual).toList());
    }

    private boolean isCompared(ContenderFactory peer) {
        return options().peers().stream().anyMatch(each -> each.name().equals(peer.name()));
    }

    private static List<ContenderFactory> join(List<ContenderFactory> some, List<ContenderFactory> others) {
        return Stream.concat(some.stream(), others.stream()).toList();
    }

    private static void check(String option, List<Integer> values, int least, int most) {
        for (int value : values) {
            if (value < least || value > most) {
                throw new UsageException(option + " takes numbers from " + least + " to " + most + ", not " + value);
            }
        }
    }
}
