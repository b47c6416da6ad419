package org.galerna.cli.bench;

import java.nio.file.Path;
import org.galerna.cli.options.OutputPath;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the figures of a benchmark are written that is none of the suite. */
final class SummaryFiles {
    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "also write the figures, and what is known of the machine")
    private @Nullable Path json;

    @Option(names = "--html", paramLabel = "FILE", description = "write a page with the tables and charts")
    private @Nullable Path html;

    /** Checks that they can be written, before anything is measured. */
    void check() {
        OutputPath.checkReports(null, json, html);
    }

    /** Writes those that are wanted. */
    void write(OutputPath.ReportWriter asJson, OutputPath.ReportWriter asPage) {
        OutputPath.writeReport(json, asJson);
        OutputPath.writeReport(html, asPage);
    }
}
