package org.galerna.cli.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.galerna.bench.suite.ContenderFactory;
import org.galerna.cli.usage.UsageException;

/** The option that names other systems. Each command has it by its own annotation, since they know different ones. */
final class Against {
    static final String OPTION = "--against";
    static final String DESCRIPTION =
            "other systems to measure in the same run, separated by commas, or \"all\"; a note says which of "
                    + "them this machine lacks. You can choose from: ${COMPLETION-CANDIDATES}";

    private Against() {}

    /** The systems with these names, or all for the word "all". */
    static List<ContenderFactory> named(List<String> names, List<ContenderFactory> known) {
        if (names.equals(List.of("all"))) {
            return known;
        }
        List<ContenderFactory> found = new ArrayList<>();
        for (String name : names) {
            found.add(known.stream()
                    .filter(each -> each.name().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new UsageException(OPTION + " knows no system \"" + name + "\"; it knows "
                            + known.stream().map(ContenderFactory::name).collect(Collectors.joining(", "))
                            + " and all")));
        }
        return found;
    }
}
