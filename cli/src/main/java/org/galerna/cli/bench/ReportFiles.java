package org.galerna.cli.bench;

import java.nio.file.Path;
import java.util.List;
import org.galerna.bench.report.CsvResults;
import org.galerna.bench.report.HtmlReport;
import org.galerna.bench.report.JsonReports;
import org.galerna.bench.report.Report;
import org.galerna.cli.options.OutputPath;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a report is written. */
final class ReportFiles {
    @Option(names = "--csv", paramLabel = "FILE", description = "write the results as CSV")
    private @Nullable Path csv;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "write the whole report as JSON; \"galerna bench report\" reads it")
    private @Nullable Path json;

    @Option(names = "--html", paramLabel = "FILE", description = "write the report as a page with charts")
    private @Nullable Path html;

    /** Checks that they can be written, before anything is measured. */
    void check() {
        OutputPath.checkReports(csv, json, html);
    }

    /** Writes those that are wanted. */
    void write(Report report) {
        OutputPath.writeReport(csv, file -> CsvResults.write(report.results(), file));
        OutputPath.writeReport(json, file -> JsonReports.write(report, file));
        OutputPath.writeReport(html, file -> HtmlReport.write(List.of(report), file));
    }
}
