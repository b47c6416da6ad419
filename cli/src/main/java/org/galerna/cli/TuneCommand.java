package org.galerna.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.galerna.bench.tune.ComparingRank;
import org.galerna.bench.tune.ConfirmingRank;
import org.galerna.bench.tune.Plan;
import org.galerna.bench.tune.TuningRank;
import org.galerna.cli.options.OperationsOption;
import org.galerna.cli.options.OutputPath;
import org.galerna.cli.options.QuickOption;
import org.galerna.cli.options.Sizes;
import org.galerna.cli.usage.UsageException;
import org.galerna.cli.usage.Version;
import org.galerna.collectives.selection.DecisionTable;
import org.galerna.link.process.TemporaryFolder;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Unmatched;

/** {@code galerna tune}: measures the algorithms of the collectives, and writes the table that chooses among them. */
@Command(
        name = "tune",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description =
                "Measures which algorithm of each collective is the fastest on this machine, and writes a table. Use the table "
                        + "with -Dgalerna.coll.table=FILE.",
        customSynopsis = "galerna tune [-n RANKS] [OPTION...]",
        footer = {
            "",
            "You can also give the options of galerna run: -n, --device, --procs, --hosts, --launcher, -J ... The job measures "
                    + "2, 4, 8 ... of its ranks, and all of them.",
            "",
            "Example:",
            "  galerna tune -n 8 --procs --output cluster.table",
            "  galerna run -n 8 --procs -Dgalerna.coll.table=cluster.table -cp build/classes org.example.Main"
        })
final class TuneCommand implements Callable<Integer> {
    private static final double MILLISECONDS = 2;
    private static final double QUICK_MILLISECONDS = 0.2;
    private static final int REPETITIONS = 15;

    /** Jobs in which what is to replace another algorithm has to win again. */
    private static final int CONFIRMATIONS = 4;

    private static final int QUICK_REPETITIONS = 3;

    @Mixin
    private final OperationsOption operations = new OperationsOption();

    @Option(
            names = "--sizes",
            paramLabel = "BYTES",
            description = "message sizes, separated by commas; default: ${DEFAULT-VALUE}")
    private String sizes = "8,64,512,4K,32K,256K,2M";

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "file for the table; default: ${DEFAULT-VALUE}")
    private Path output = Path.of("galerna-coll.table");

    @Option(
            names = "--compare",
            paramLabel = "FILE",
            description =
                    "write no table, but compare this one with the standard one where they differ; the exit status is 1 if a "
                            + "choice is slower by more than noise in two jobs")
    private @Nullable Path compared;

    @Mixin
    private final QuickOption quick = new QuickOption();

    @Unmatched
    private List<String> optionsOfRun = new ArrayList<>();

    @Override
    public Integer call() throws IOException, InterruptedException {
        checkOptionsOfRun();
        Path table = (compared == null ? output : compared).toAbsolutePath();
        if (compared != null && !Files.isReadable(table)) {
            throw new UsageException("--compare " + compared + " cannot be read"
                    + (Files.exists(table) ? "" : ": there is no such file"));
        }
        if (compared == null) {
            OutputPath.checkFile("--output", output);
        } else {
            checkTable(table);
        }
        Plan plan = new Plan(
                operations.operations(),
                Sizes.parse("--sizes", sizes),
                quick.isGiven() ? QUICK_REPETITIONS : REPETITIONS,
                quick.isGiven() ? QUICK_MILLISECONDS : MILLISECONDS,
                table);
        if (compared != null) {
            return compare(plan);
        }
        int status = run(TuningRank.class, plan);
        for (int job = 0; job < CONFIRMATIONS && status == 0; job++) {
            System.out.println("Once more, in a job of its own, what is to replace another:");
            status = run(ConfirmingRank.class, plan);
        }
        if (status == 0) {
            System.out.println("The table is in " + output + "; use it with -Dgalerna.coll.table=" + output);
        }
        return status;
    }

    private void checkOptionsOfRun() {
        RankJob.parse("galerna tune", optionsOfRun)
                .ranks()
                .filter(number -> number < 2)
                .ifPresent(number -> {
                    throw new UsageException(
                            "-n takes a number from 2, not " + number + ": one rank has nobody to talk to");
                });
    }

    private static void checkTable(Path table) {
        try {
            DecisionTable.read(table);
        } catch (IllegalArgumentException wrong) {
            throw new UsageException("--compare: " + wrong.getMessage());
        } catch (UncheckedIOException unreadable) {
            throw new UsageException("--compare: " + unreadable.getMessage());
        }
    }

    /** An algorithm that is slower in one job only is so by chance: of where arrays lie, or of what the compilers have seen. */
    private int compare(Plan plan) throws IOException, InterruptedException {
        try (TemporaryFolder folder = TemporaryFolder.make("tune").untilEnd()) {
            Path slower = Files.createFile(folder.path().resolve("slower.table"));
            int status = run(ComparingRank.class, plan, slower.toString());
            if (status == 0 && Files.size(slower) > 0) {
                System.out.println("Once more, in a job of its own, what was slower:");
                status = run(ComparingRank.class, plan.withTable(slower), slower.toString());
            }
            return status == 0 && Files.size(slower) > 0 ? 1 : status;
        }
    }

    private int run(Class<?> program, Plan plan, String... further) throws InterruptedException {
        List<String> arguments = new ArrayList<>(plan.toArguments());
        arguments.addAll(List.of(further));
        return RankJob.run(optionsOfRun, program, arguments);
    }
}
