package org.galerna.cli.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.galerna.bench.report.HtmlReport;
import org.galerna.bench.report.JsonReports;
import org.galerna.bench.report.Report;
import org.galerna.bench.report.Result;
import org.galerna.bench.report.TextTable;
import org.galerna.cli.options.OutputPath;
import org.galerna.cli.usage.UsageException;
import org.galerna.cli.usage.Version;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code galerna bench report}: runs that have been kept, side by side. */
@Command(
        name = "report",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description =
                "Prints reports that you wrote with --json, one after the other, or puts them side by side on a page.")
final class ReportCommand implements Callable<Integer> {
    @Parameters(arity = "1..*", paramLabel = "FILE", description = "report that a benchmark wrote with --json")
    private List<Path> files = List.of();

    @Option(
            names = "--html",
            paramLabel = "FILE",
            description = "write one page with charts instead of printing, with the runs side by side")
    private @Nullable Path html;

    @Override
    public Integer call() {
        OutputPath.checkFile("--html", html);
        List<Report> reports = new ArrayList<>();
        files.forEach(file -> reports.add(read(file)));
        if (html == null) {
            reports.forEach(ReportCommand::print);
        } else {
            write(reports, html);
        }
        return 0;
    }

    private static void write(List<Report> reports, Path file) {
        try {
            HtmlReport.write(reports, file);
        } catch (IOException failed) {
            throw new UncheckedIOException("the page cannot be written: " + failed.getMessage(), failed);
        }
    }

    private static Report read(Path file) {
        if (Files.isDirectory(file)) {
            throw new UsageException(file + " is a folder, not a report");
        }
        try {
            return JsonReports.read(file);
        } catch (NoSuchFileException missing) {
            throw new UsageException("there is no file " + file);
        } catch (IOException unreadable) {
            throw new UsageException(String.valueOf(unreadable.getMessage()));
        }
    }

    private record Group(String benchmark, int ranks, int window) {}

    private static void print(Report report) {
        System.out.println(report.title() + ", " + report.time());
        System.out.println(report.command());
        System.out.println(
                report.machine().processor() + ", " + report.machine().cores() + " processors, "
                        + report.machine().system() + ", " + report.machine().java());
        report.notes().forEach(note -> System.out.println("note: " + note));
        System.out.println();
        Map<Group, List<Result>> groups = new LinkedHashMap<>();
        for (Result result : report.results()) {
            groups.computeIfAbsent(
                            new Group(result.benchmark(), result.ranks(), result.window()), any -> new ArrayList<>())
                    .add(result);
        }
        groups.values().forEach(results -> System.out.println(TextTable.of(results)));
    }
}
