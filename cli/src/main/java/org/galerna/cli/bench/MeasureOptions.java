package org.galerna.cli.bench;

import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.galerna.bench.suite.ContenderFactory;
import org.galerna.cli.options.Sizes;
import org.galerna.cli.usage.UsageException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that all benchmarks of the suite have. */
final class MeasureOptions {
    @Option(
            names = "--sizes",
            paramLabel = "BYTES",
            description =
                    "message sizes, separated by commas, such as 1,8,64K; 1..4M means all powers of two from 1 to 4M")
    private @Nullable String sizes;

    @Option(
            names = "--repetitions",
            paramLabel = "N",
            description = "how many times to measure each figure, for about a millisecond; default: ${DEFAULT-VALUE}")
    private int repetitions = 20;

    @Option(
            names = Against.OPTION,
            paramLabel = "SYSTEM",
            split = ",",
            description = Against.DESCRIPTION,
            completionCandidates = Peers.class)
    private List<String> against = List.of();

    @Mixin
    private final ReportFiles files = new ReportFiles();

    @Option(names = "--title", paramLabel = "TEXT", description = "title of this run in the report")
    private String title = "Galerna";

    @Option(
            names = "--quick",
            description =
                    "run without warm-up, to see that everything works; the figures mean nothing. With --baseline: compare "
                            + "a few sizes only, with little warm-up")
    private boolean quick;

    @Mixin
    private BaselineOption baseline = new BaselineOption();

    private @Nullable List<ContenderFactory> peers;

    /** Names for the help. */
    static final class Peers implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return ContenderFactory.peers().stream().map(ContenderFactory::name).iterator();
        }
    }

    /** Checks what can be checked before anything is measured. */
    void check() {
        if (repetitions < 1) {
            throw new UsageException("--repetitions takes a number from 1, not " + repetitions);
        }
        files.check();
        List<ContenderFactory> unused = peers();
    }

    /** The systems named after --against, the same objects at every call. */
    List<ContenderFactory> peers() {
        if (peers == null) {
            peers = findPeers();
        }
        return peers;
    }

    private List<ContenderFactory> findPeers() {
        return Against.named(against, ContenderFactory.peers());
    }

    List<Long> sizes(List<Long> otherwise) {
        if (sizes != null) {
            return Sizes.parse("--sizes", sizes);
        }
        return isShortComparison() ? BaselineOption.few(otherwise) : otherwise;
    }

    /** The older build to compare with, if one is named. */
    Optional<Path> baseline() {
        return baseline.file();
    }

    /** Whether the builds are compared at a few sizes only. */
    boolean isShortComparison() {
        return quick && baseline.file().isPresent();
    }

    /** Whether the figures mean nothing. */
    boolean isTrial() {
        return quick && baseline.file().isEmpty();
    }

    int repetitions() {
        return repetitions;
    }

    boolean quick() {
        return quick;
    }

    String title() {
        return title;
    }

    ReportFiles files() {
        return files;
    }
}
