package org.galerna.cli;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.galerna.cli.usage.UsageException;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** What {@code galerna model} is to do, and the options that mean something then. */
enum ModelTask {
    SIMULATE(
            "",
            false,
            "--machine",
            "--ranks",
            "--operations",
            "--sizes",
            "--ranks-per-host",
            "--best",
            "--html",
            "--json",
            "--table",
            "--curves"),
    COMPARE("--published", false, "--machine", "--ranks"),
    MEASURE("--measure", true),
    CHECK("--check", true, "--machine", "--operations", "--sizes"),
    SCALE("--scale", true, "--ranks", "--sizes", "--curves"),
    DRAW("--scaled", false, "--curves");

    private final String option;
    private final boolean runsJobs;
    private final Set<String> others;

    /**
     * A task.
     *
     * @param option that asks for it; empty if it takes none
     * @param runsJobs whether options of {@code galerna run} may follow
     * @param others options that may stand beside it
     */
    ModelTask(String option, boolean runsJobs, String... others) {
        this.option = option;
        this.runsJobs = runsJobs;
        this.others = Set.of(others);
    }

    /**
     * The one that a command line asks for.
     *
     * @param unknown words that are no options of {@code galerna model}
     * @throws UsageException if the line asks for two, or has an option that does nothing there
     */
    static ModelTask of(ParseResult line, List<String> unknown) {
        ModelTask task = Arrays.stream(values())
                .filter(each -> line.hasMatchedOption(each.option))
                .findFirst()
                .orElse(SIMULATE);
        for (OptionSpec given : line.matchedOptions()) {
            String name = given.longestName();
            if (!name.equals(task.option) && !task.others.contains(name)) {
                throw new UsageException(
                        name + " does not go together with " + (task == SIMULATE ? "a simulation" : task.option));
            }
        }
        if (!task.runsJobs && !unknown.isEmpty()) {
            throw new UsageException("\"" + unknown.getFirst()
                    + "\" is not an option here; options of galerna run need --measure, --check or --scale");
        }
        return task;
    }
}
