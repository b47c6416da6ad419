package org.galerna.cli.bench;

import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.galerna.bench.galerna.GalernaSystems;
import org.galerna.bench.report.ThisMachine;
import org.galerna.bench.report.Trial;
import org.galerna.bench.start.StartBenchmark;
import org.galerna.bench.start.StartReport;
import org.galerna.bench.start.StartText;
import org.galerna.bench.suite.ContenderFactory;
import org.galerna.cli.options.QuickOption;
import org.galerna.cli.usage.TypedCommand;
import org.galerna.cli.usage.UsageException;
import org.galerna.cli.usage.Version;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code galerna bench start}: the first seconds of a program. */
@Command(
        name = "start",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description =
                "Measures the first seconds of a program: the time from the command to the first message; latency and rate of one "
                        + "loop by the time since Init; and a program that does something else every 100 milliseconds or so. "
                        + "Every system runs the same program in turns, on threads and processes for Galerna.")
final class StartCommand implements Callable<Integer> {
    private static final int LOOP_SECONDS = 10;
    private static final int MIXED_ROUNDS = 4;

    @Option(
            names = Against.OPTION,
            paramLabel = "SYSTEM",
            split = ",",
            description = Against.DESCRIPTION,
            completionCandidates = Peers.class)
    private List<String> against = List.of();

    @Option(
            names = "--repetitions",
            paramLabel = "N",
            description = "how often each program runs on each system; default: ${DEFAULT-VALUE}")
    private int repetitions = 3;

    @Mixin
    private final RanksOptions ranks = new RanksOptions();

    @Mixin
    private final SummaryFiles files = new SummaryFiles();

    @Mixin
    private final QuickOption quick = new QuickOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    /** Names for the help. */
    static final class Peers implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return known().stream().map(ContenderFactory::name).iterator();
        }
    }

    private static List<ContenderFactory> known() {
        return ContenderFactory.peers().stream()
                .filter(ContenderFactory::runsPrograms)
                .toList();
    }

    @Override
    public Integer call() {
        if (repetitions < 1) {
            throw new UsageException("--repetitions takes a number from 1, not " + repetitions);
        }
        files.check();
        List<ContenderFactory> peers = Against.named(against, known());
        Instant begun = Instant.now();
        StartBenchmark.Outcome outcome = new StartBenchmark(
                        new StartBenchmark.Options(
                                peers,
                                ranks.ranks(),
                                quick.isGiven() ? 1 : repetitions,
                                quick.isGiven() ? 1 : LOOP_SECONDS,
                                quick.isGiven() ? 0 : MIXED_ROUNDS),
                        line -> System.err.println(line))
                .run();
        System.out.print(StartText.of(outcome.systems()));
        outcome.notes().forEach(note -> System.err.println("note: " + note));
        StartReport report = new StartReport(
                begun,
                TypedCommand.of(spec),
                ThisMachine.describe(),
                versions(peers),
                outcome.systems(),
                Trial.notes(quick.isGiven(), outcome.notes()));
        files.write(report::writeJson, report::writePage);
        return 0;
    }

    private static Map<String, String> versions(List<ContenderFactory> peers) {
        Map<String, String> versions = new TreeMap<>(Map.of(GalernaSystems.GALERNA, Version.ofGalerna()));
        peers.stream()
                .filter(peer -> peer.unavailable().isEmpty())
                .forEach(peer -> versions.put(peer.name(), peer.version()));
        return versions;
    }
}
