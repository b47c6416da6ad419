package org.galerna.bench.evaluation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.galerna.bench.galerna.GalernaSystems;
import org.galerna.bench.messaging.MessagingSystem;
import org.galerna.bench.report.Result;
import org.galerna.bench.sockets.SocketSystem;
import org.galerna.bench.suite.Benchmark;
import org.galerna.bench.suite.ContenderFactory;
import org.galerna.bench.suite.Suite;
import org.galerna.bench.suite.SuiteListener;
import org.galerna.bench.suite.Task;

/** The ratios of messages and sockets. */
final class MessagePart {
    private static final int PAIR = 2;
    private static final int REPETITIONS = 20;
    private static final long ONE = 1;
    private static final long SHORT = 64;
    private static final long ARRAY = 512L << 10;
    private static final long LONG = 1L << 20;
    private static final int LONG_WINDOW = 16;
    private static final int SHORT_WINDOW = 64;
    private static final int STREAM = 16_384;
    private static final int SENDERS = 4;
    private static final String OURS = "galerna mpi";
    private static final String OBJECTS = "galerna messaging shm, " + SENDERS + " senders";
    private static final String FAST_SOCKETS = "galerna sockets";
    private static final String SOCKETS = "sockets";
    private static final String OPEN_MPI = "openmpi";
    private static final String MPICH = "mpich";
    private static final String MPJ_EXPRESS = "mpjexpress";
    private static final String OPEN_MPI_JAVA = "openmpi-java";

    private final List<Result> results = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final List<Headline> headlines = new ArrayList<>();

    List<Headline> headlines() {
        return headlines;
    }

    List<String> notes() {
        return notes;
    }

    /** Those that take part and can be had here, beside Galerna. */
    static List<ContenderFactory> peers() {
        return peers(SOCKETS, OPEN_MPI, MPICH, MPJ_EXPRESS, OPEN_MPI_JAVA).toList();
    }

    private static Stream<ContenderFactory> peers(String... names) {
        return ContenderFactory.peers().stream()
                .filter(peer -> Arrays.asList(names).contains(peer.name()));
    }

    private static List<ContenderFactory> withPeers(String... names) {
        return Stream.concat(Stream.of(GalernaSystems.mpi(1)), peers(names)).toList();
    }

    void measure(boolean quick, Consumer<String> progress) {
        List<Task> tasks = List.of(
                new Task(
                        Benchmark.LATENCY,
                        PAIR,
                        List.of(ONE),
                        0,
                        withPeers(SOCKETS, OPEN_MPI, MPICH, MPJ_EXPRESS, OPEN_MPI_JAVA)),
                new Task(
                        Benchmark.BANDWIDTH,
                        PAIR,
                        List.of(LONG),
                        LONG_WINDOW,
                        withPeers(SOCKETS, OPEN_MPI, MPICH, MPJ_EXPRESS, OPEN_MPI_JAVA)),
                new Task(Benchmark.BCAST, PAIR, List.of(LONG), 0, withPeers(OPEN_MPI, MPICH)),
                new Task(
                        Benchmark.RATE,
                        PAIR,
                        List.of(SHORT),
                        SHORT_WINDOW,
                        withPeers(OPEN_MPI, MPICH, MPJ_EXPRESS, OPEN_MPI_JAVA)),
                new Task(
                        Benchmark.RATE,
                        PAIR,
                        List.of(SHORT),
                        STREAM,
                        List.of(new MessagingSystem("shm", SENDERS, SENDERS, 1))),
                new Task(Benchmark.ECHO, PAIR, List.of(ONE), 0, List.of(SocketSystem.fast(), SocketSystem.platform())),
                new Task(Benchmark.ARRAYS, PAIR, List.of(ARRAY), 0, List.of(SocketSystem.fast())),
                new Task(Benchmark.OBJECTS, PAIR, List.of(ARRAY), 0, List.of(SocketSystem.platform())));
        Suite suite = new Suite(quick, quick ? 2 : REPETITIONS, new SuiteListener() {
            @Override
            public void onStart(Task task) {
                progress.accept("messages: " + task.benchmark().word());
            }
        });
        Suite.Outcome outcome = suite.run(tasks);
        results.addAll(outcome.results());
        notes.addAll(outcome.notes());
        compare();
    }

    private void compare() {
        compare(Paper.SMDEV, "latency of 1 B: sockets / ranks as threads", 13, Benchmark.LATENCY, OURS, SOCKETS);
        compare(Paper.SMDEV, "latency of 1 B: Open MPI / ranks as threads", 0.5, Benchmark.LATENCY, OURS, OPEN_MPI);
        compare(Paper.SMDEV, "bandwidth of 1 MiB: ranks as threads / sockets", 6, Benchmark.BANDWIDTH, OURS, SOCKETS);
        compare(Paper.SMDEV, "bandwidth of 1 MiB: ranks as threads / Open MPI", 1, Benchmark.BANDWIDTH, OURS, OPEN_MPI);
        compare(Paper.SMDEV, "bandwidth of 1 MiB: ranks as threads / MPICH", 1, Benchmark.BANDWIDTH, OURS, MPICH);
        compare(Paper.SMDEV, "broadcast of 1 MiB: Open MPI / ranks as threads", 1, Benchmark.BCAST, OURS, OPEN_MPI);
        compare(Paper.SMDEV, "broadcast of 1 MiB: MPICH / ranks as threads", 1, Benchmark.BCAST, OURS, MPICH);
        compare(Paper.RDMA, "latency of 1 B: MPJ Express / Galerna", 2.86, Benchmark.LATENCY, OURS, MPJ_EXPRESS);
        compare(Paper.RDMA, "latency of 1 B: Open MPI Java / Galerna", 3.33, Benchmark.LATENCY, OURS, OPEN_MPI_JAVA);
        compare(Paper.RDMA, "bandwidth of 1 MiB: Galerna / MPJ Express", 3.9, Benchmark.BANDWIDTH, OURS, MPJ_EXPRESS);
        compare(
                Paper.RDMA,
                "bandwidth of 1 MiB: Galerna / Open MPI Java",
                3.7,
                Benchmark.BANDWIDTH,
                OURS,
                OPEN_MPI_JAVA);
        compare(Paper.DXNET, "64 B, 4 senders: objects / MPJ Express", 4, Benchmark.RATE, OBJECTS, MPJ_EXPRESS);
        compare(Paper.DXNET, "64 B, 4 senders: objects / MPICH", 1.8, Benchmark.RATE, OBJECTS, MPICH);
        compare(Paper.SOCKETS, "round trip of 1 B: sockets / fast sockets", 2, Benchmark.ECHO, FAST_SOCKETS, "jdk");
        arrays();
        String adapter = "needs an adapter for InfiniBand";
        missing(Paper.IBVDEV, "latency: sockets over InfiniBand / ibvdev", 5.9, adapter);
        missing(Paper.IBVDEV, "bandwidth: ibvdev / sockets over InfiniBand", 2, adapter);
        missing(Paper.IBVDEV, "collectives: ibvdev / sockets over InfiniBand", 10, adapter);
        missing(Paper.SOCKETS, "busy processor over Ethernet: sockets / fast sockets", 2.5, "needs a second host");
    }

    /** Arrays as they are, beside streams of objects. */
    private void arrays() {
        String claim = "double[] of 512 KiB: fast sockets / objects over sockets";
        double published = 45.1;
        Optional<Result> one = result(Benchmark.ARRAYS, FAST_SOCKETS);
        Optional<Result> other = result(Benchmark.OBJECTS, "jdk");
        if (one.isEmpty() || other.isEmpty()) {
            missing(Paper.SOCKETS, claim, published, "could not be measured");
        } else {
            add(Paper.SOCKETS, claim, published, one.get(), other.get());
        }
    }

    private void compare(Paper paper, String claim, double published, Benchmark benchmark, String name, String peer) {
        Optional<Result> one = result(benchmark, name);
        Optional<Result> other = result(benchmark, peer);
        if (one.isEmpty() || other.isEmpty()) {
            missing(paper, claim, published, (one.isEmpty() ? name : peer) + " cannot be had here");
        } else {
            add(paper, claim, published, one.get(), other.get());
        }
    }

    private void add(Paper paper, String claim, double published, Result one, Result other) {
        boolean isSpeed = one.unit().moreIsBetter();
        double first = isSpeed ? one.median() : other.median();
        double second = isSpeed ? other.median() : one.median();
        headlines.add(Headline.of(
                paper,
                claim,
                published,
                first / second,
                String.format(
                        Locale.ROOT, "%.3f / %.3f %s", first, second, one.unit().symbol())));
    }

    private void missing(Paper paper, String claim, double published, String why) {
        headlines.add(Headline.missing(paper, claim, published, why));
    }

    private Optional<Result> result(Benchmark benchmark, String name) {
        return results.stream()
                .filter(result -> result.benchmark().equals(benchmark.word())
                        && result.name().equals(name))
                .findFirst();
    }
}
