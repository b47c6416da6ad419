package org.galerna.cli.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.galerna.bench.evaluation.Evaluation;
import org.galerna.cli.options.OutputPath;
import org.galerna.cli.usage.UsageException;
import org.galerna.cli.usage.Version;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code galerna bench evaluation}: the ratios that papers report, measured here. */
@Command(
        name = "evaluation",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description =
                "Measures the ratios that the papers on message passing in Java report, and prints them beside those of the "
                        + "papers: messages, NAS kernels, LU factorization and molecular dynamics. Peers that cannot be had "
                        + "here have a row that says so.")
final class EvaluationCommand implements Callable<Integer> {
    private static final List<String> LETTERS = List.of("S", "W", "A", "B", "C");

    @Option(
            names = "--npb",
            paramLabel = "FOLDER",
            description =
                    "folder of NASA's programs for one core, such as cg.A or cg.A.x, which you have built; they run in turns "
                            + "with Galerna's kernels")
    private @Nullable Path npb;

    @Option(
            names = "--class",
            paramLabel = "LETTER",
            description = "class of the NAS kernels: S, W, A, B or C; default: ${DEFAULT-VALUE}")
    private String letter = "A";

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "also write the figures, and what is known of the machine")
    private @Nullable Path json;

    @Option(
            names = "--quick",
            description = "run so briefly that the figures mean nothing, to see that everything works")
    private boolean quick;

    @Override
    public Integer call() {
        OutputPath.checkFile("--json", json);
        if (npb != null && !Files.isDirectory(npb)) {
            throw new UsageException("--npb " + npb + " is not a folder");
        }
        String size = letter.toUpperCase(Locale.ROOT);
        if (!LETTERS.contains(size)) {
            throw new UsageException("--class takes S, W, A, B or C here, not \"" + letter + "\"");
        }
        Evaluation evaluation =
                new Evaluation(new Evaluation.Options(Optional.ofNullable(npb), quick ? "S" : size, quick));
        Evaluation.Kept kept = evaluation.run("galerna bench evaluation --class " + size, System.out);
        if (json != null) {
            try {
                Evaluation.write(kept, json);
            } catch (IOException failed) {
                throw new UncheckedIOException(failed.getMessage(), failed);
            }
        }
        return 0;
    }
}
