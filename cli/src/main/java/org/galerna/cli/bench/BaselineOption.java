package org.galerna.cli.bench;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.galerna.cli.options.Sizes;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** An older build to compare with. */
final class BaselineOption {
    private static final List<Long> FEW = Sizes.parse("--sizes", "8,1K,64K,1M");

    @Option(
            names = "--baseline",
            paramLabel = "JAR",
            description =
                    "an older galerna.jar, to be measured in turns with this one: prints new / old for each row with its "
                            + "interval, and marks what is worse; the exit status is 1 then")
    private @Nullable Path file;

    Optional<Path> file() {
        return Optional.ofNullable(file);
    }

    /** Those of the sizes that a short comparison takes; the first one if it would take none. */
    static List<Long> few(List<Long> sizes) {
        List<Long> few = sizes.stream().filter(FEW::contains).toList();
        return few.isEmpty() ? sizes.subList(0, 1) : few;
    }
}
