package org.galerna.cli.bench;

import java.util.List;
import org.galerna.bench.suite.Benchmark;
import org.galerna.cli.usage.UsageException;
import picocli.CommandLine.Option;

/** Which collectives are measured. */
final class CollectiveOptions {
    @Option(
            names = "--operations",
            paramLabel = "NAME",
            split = ",",
            description =
                    "collectives to measure, separated by commas: barrier, bcast, reduce, allreduce, allgather, alltoall, "
                            + "gather, scatter, reducescatter, scan; default: all of them")
    private List<String> operations = List.of();

    List<Benchmark> operations() {
        if (operations.isEmpty()) {
            return Benchmark.collectives();
        }
        return operations.stream().map(CollectiveOptions::operation).toList();
    }

    private static Benchmark operation(String name) {
        return Benchmark.named(name)
                .filter(Benchmark::isCollective)
                .findFirst()
                .orElseThrow(() -> new UsageException("--operations: there is no collective \"" + name + "\", only "
                        + String.join(
                                ", ",
                                Benchmark.collectives().stream()
                                        .map(Benchmark::word)
                                        .toList())));
    }
}
