package org.galerna.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.galerna.bench.model.Machine;
import org.galerna.bench.model.ModelJson;
import org.galerna.bench.model.ModelPage;
import org.galerna.bench.model.ModelPictures;
import org.galerna.bench.model.ModelText;
import org.galerna.bench.model.PublishedTimes;
import org.galerna.bench.model.Study;
import org.galerna.bench.model.Study.Row;
import org.galerna.bench.report.ThisMachine;
import org.galerna.bench.tune.CheckingRank;
import org.galerna.bench.tune.MeasuringRank;
import org.galerna.bench.tune.Plan;
import org.galerna.bench.tune.ScaledJob;
import org.galerna.bench.tune.ScaledJobs;
import org.galerna.bench.tune.ScalingRank;
import org.galerna.bench.tune.SimulatedTable;
import org.galerna.cli.options.Folders;
import org.galerna.cli.options.OperationsOption;
import org.galerna.cli.options.OutputPath;
import org.galerna.cli.options.Sizes;
import org.galerna.cli.run.RunCommand;
import org.galerna.cli.usage.TypedCommand;
import org.galerna.cli.usage.UsageException;
import org.galerna.cli.usage.Version;
import org.galerna.collectives.algorithm.Operation;
import org.galerna.link.process.TemporaryFolder;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/** {@code galerna model}: simulates the collectives on machines that are not here. */
@Command(
        name = "model",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description =
                "Simulates every algorithm of each collective on a machine that a file describes, with up to 131,072 ranks. "
                        + "The algorithms are those that programs run; their messages cost what the file says.",
        customSynopsis = {
            "galerna model --machine FILE [--ranks N,...] [OPTION...]",
            "      galerna model --machine FILE --published FILE [--ranks N,...]",
            "      galerna model --measure FILE [-n RANKS] [OPTION of galerna run...]",
            "      galerna model --machine FILE --check [-n RANKS] [OPTION of galerna run...]",
            "      galerna model --scale FILE [--ranks N,...] [--curves FOLDER] [OPTION of galerna run...]",
            "      galerna model --scaled FILE --curves FOLDER"
        },
        footer = {
            "",
            "Example:",
            "  galerna model --measure here.machine -n 4 --procs",
            "  galerna model --machine here.machine --ranks 16,256,4096 --operations allreduce --html model.html",
            "",
            "docs/model.md says what the parameters of a machine mean."
        })
final class ModelCommand implements Callable<Integer> {
    private static final int MOST_RANKS = 131_072;
    private static final int REPETITIONS = 9;
    private static final double MILLISECONDS = 50;
    private static final String SIZE_OF_SCALE = "8";

    @Option(
            names = {"-m", "--machine"},
            paramLabel = "FILE",
            description = "file with the parameters of the machine")
    private @Nullable Path machine;

    @Option(
            names = "--ranks",
            paramLabel = "N",
            split = ",",
            description = "numbers of ranks; default: ${DEFAULT-VALUE}")
    private List<Integer> ranks = List.of(16, 64, 256, 1024);

    @Mixin
    private final OperationsOption operations = new OperationsOption();

    @Option(
            names = "--sizes",
            paramLabel = "BYTES",
            description = "message sizes, separated by commas; default: ${DEFAULT-VALUE}")
    private String sizes = "8,4K,256K";

    @Option(names = "--ranks-per-host", paramLabel = "N", description = "ranks on a host; default: what the file says")
    private @Nullable Integer ranksPerHost;

    @Option(
            names = "--best",
            description =
                    "only the fastest algorithm of those that can be simulated: the others are followed no further than needed")
    private boolean best;

    @Option(names = "--html", paramLabel = "FILE", description = "write a page with charts")
    private @Nullable Path html;

    @Option(names = "--json", paramLabel = "FILE", description = "write the figures as JSON")
    private @Nullable Path json;

    @Option(
            names = "--table",
            paramLabel = "FILE",
            description = "write a table of decisions for -Dgalerna.coll.table=FILE")
    private @Nullable Path table;

    @Option(
            names = "--measure",
            paramLabel = "FILE",
            description = "measure the parameters of this machine in a job, and write them to this file")
    private @Nullable Path measured;

    @Option(
            names = "--published",
            paramLabel = "FILE",
            description = "compare the simulation with times that others have published")
    private @Nullable Path published;

    @Option(
            names = "--scale",
            paramLabel = "FILE",
            description =
                    "run a job of each number of ranks, and write the time until they have met, their memory, and the time of each collective")
    private @Nullable Path scale;

    @Option(
            names = "--scaled",
            paramLabel = "FILE",
            description = "draw what an earlier --scale, or a simulation with --json, has written")
    private @Nullable Path scaled;

    @Option(
            names = "--curves",
            paramLabel = "FOLDER",
            description = "write pictures of the growth with the ranks, as SVG")
    private @Nullable Path curves;

    @Option(names = "--check", description = "measure the algorithms in a job, and compare with the simulation")
    @SuppressWarnings("UnusedVariable") // ModelTask finds it on the command line
    private boolean check;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Unmatched
    private List<String> optionsOfRun = new ArrayList<>();

    @Override
    public Integer call() throws IOException, InterruptedException {
        ModelTask task = ModelTask.of(spec.commandLine().getParseResult(), optionsOfRun);
        if (curves != null) {
            Folders.check("--curves", curves);
        }
        checkRanks();
        return switch (task) {
            case MEASURE -> measure(Objects.requireNonNull(measured));
            case SCALE -> scale(Objects.requireNonNull(scale));
            case DRAW -> draw(Objects.requireNonNull(scaled));
            case CHECK -> check();
            case COMPARE -> compare(read(), Objects.requireNonNull(published));
            case SIMULATE -> simulate();
        };
    }

    private void checkRanks() {
        for (int number : ranks) {
            if (number < 2 || number > MOST_RANKS) {
                throw new UsageException("--ranks takes numbers from 2 to " + MOST_RANKS + ", not " + number);
            }
        }
    }

    private int scale(Path file) throws IOException, InterruptedException {
        OutputPath.checkFile("--scale", file);
        if (RankJob.parse("galerna model", optionsOfRun).ranks().isPresent()) {
            throw new UsageException("--scale takes the numbers of ranks from --ranks, not from -n");
        }
        List<Long> size = Sizes.parse(
                "--sizes", spec.commandLine().getParseResult().hasMatchedOption("--sizes") ? sizes : SIZE_OF_SCALE);
        if (size.size() > 1) {
            throw new UsageException("--sizes takes one size for --scale, not " + sizes);
        }
        Instant begun = Instant.now();
        List<ScaledJob> jobs = new ArrayList<>();
        try (TemporaryFolder folder = TemporaryFolder.make("scale").untilEnd()) {
            Path figures = folder.path().resolve("scale.json");
            for (int number : ranks.stream().distinct().sorted().toList()) {
                int status = RankJob.run(
                        optionsOfScale(number),
                        ScalingRank.class,
                        List.of(figures.toString(), String.valueOf(size.getFirst())));
                if (status != 0) {
                    return status;
                }
                ScaledJob job = ScaledJob.read(figures);
                System.out.print(job.text());
                jobs.add(job);
            }
        }
        ScaledJobs all = new ScaledJobs(begun, TypedCommand.of(spec), ThisMachine.describe(), jobs);
        all.write(file);
        if (curves != null) {
            System.out.print(all.draw(curves));
        }
        return 0;
    }

    private List<String> optionsOfScale(int number) {
        List<String> options = new ArrayList<>(List.of("-n", String.valueOf(number)));
        if (optionsOfRun.stream().noneMatch(option -> option.startsWith("--deadlock-timeout"))) {
            options.addAll(List.of("--deadlock-timeout", "0"));
        }
        if (!optionsOfRun.contains("--yes")) {
            options.add("--yes");
        }
        options.addAll(optionsOfRun);
        return options;
    }

    private int draw(Path file) throws IOException {
        if (curves == null) {
            throw new UsageException("--scaled needs --curves FOLDER, where the pictures go");
        }
        System.out.print(drawn(file, curves));
        return 0;
    }

    private static String drawn(Path file, Path curves) throws IOException {
        ScaledJobs jobs;
        try {
            jobs = ScaledJobs.read(file);
        } catch (IOException unreadable) {
            return simulated(file, unreadable).draw(curves);
        }
        return jobs.draw(curves);
    }

    private static ModelJson simulated(Path file, IOException noJobs) {
        try {
            return ModelJson.read(file);
        } catch (IOException _) {
            throw new UsageException("--scaled: " + noJobs.getMessage());
        }
    }

    private static UsageException missing(String option, Path file) {
        return new UsageException(option + " " + file + " cannot be read: there is no such file");
    }

    private static int positive(int number) {
        if (number < 1) {
            throw new UsageException("--ranks-per-host takes a number from 1, not " + number);
        }
        return number;
    }

    private int simulate() throws IOException {
        Machine described = read();
        Machine on = ranksPerHost == null ? described : described.withRanksPerHost(positive(ranksPerHost));
        if (best && table != null) {
            throw new UsageException("--table compares all algorithms: it does not go together with --best");
        }
        OutputPath.checkFile("--html", html);
        OutputPath.checkFile("--json", json);
        OutputPath.checkFile("--table", table);
        Study study = new Study(on);
        List<List<Row>> tables = new ArrayList<>();
        for (Operation operation : operations.operations()) {
            List<Long> some = Sizes.parse("--sizes", sizes);
            for (long size : table == null ? Plan.simulatedSizesOf(operation, some) : Plan.sizesOf(operation, some)) {
                List<Row> rows = new ArrayList<>();
                for (int number : ranks.stream().distinct().sorted().toList()) {
                    rows.addAll(
                            best
                                    ? study.best(operation, number, size).stream()
                                            .toList()
                                    : study.rows(operation, number, size));
                }
                if (rows.isEmpty()) { // of the best ones
                    System.out.println(operation.label() + ": too many messages to simulate\n");
                    continue;
                }
                System.out.println(ModelText.table(rows));
                tables.add(rows);
            }
        }
        if (html != null) {
            ModelPage.write(on, tables, html);
        }
        if (json != null) {
            ModelJson.write(on, tables.stream().flatMap(List::stream).toList(), json);
        }
        if (table != null) {
            SimulatedTable.write(on.name(), tables, table);
        }
        if (curves != null) {
            System.out.print(ModelPictures.write(on.name(), tables, curves));
        }
        return 0;
    }

    private int compare(Machine on, Path file) throws IOException {
        PublishedTimes times;
        try {
            times = PublishedTimes.read(file);
        } catch (IllegalArgumentException wrong) {
            throw new UsageException("--published " + wrong.getMessage());
        } catch (NoSuchFileException _) {
            throw missing("--published", file);
        }
        int most = ranks.stream().mapToInt(Integer::intValue).max().orElse(MOST_RANKS);
        System.out.print(PublishedTimes.text(times.between(2, most).compare(on)));
        return 0;
    }

    private int measure(Path file) throws IOException, InterruptedException {
        OutputPath.checkFile("--measure", file);
        if (Files.exists(file)) {
            Files.delete(file);
        }
        int status = run(MeasuringRank.class, List.of(file.toAbsolutePath().toString()));
        if (status == 0) {
            System.out.println("The parameters are in " + file + "; use them with galerna model --machine " + file);
        }
        return status;
    }

    private Machine read() throws IOException {
        if (machine == null) {
            throw new UsageException(
                    "--machine FILE is missing: galerna model --measure FILE writes one for this machine");
        }
        try {
            return Machine.read(machine);
        } catch (IllegalArgumentException wrong) {
            throw new UsageException("--machine " + wrong.getMessage());
        } catch (NoSuchFileException _) {
            throw missing("--machine", machine);
        }
    }

    private int check() throws IOException, InterruptedException {
        Machine unused = read();
        Path file = Objects.requireNonNull(machine).toAbsolutePath();
        return run(
                CheckingRank.class,
                new Plan(operations.operations(), Sizes.parse("--sizes", sizes), REPETITIONS, MILLISECONDS, file)
                        .toArguments());
    }

    private int run(Class<?> program, List<String> arguments) throws InterruptedException {
        RunCommand unused = RankJob.parse("galerna model", optionsOfRun);
        return RankJob.run(optionsOfRun, program, arguments);
    }
}
