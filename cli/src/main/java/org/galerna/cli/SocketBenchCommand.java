package org.galerna.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.galerna.bench.report.HtmlReport;
import org.galerna.bench.report.JsonReports;
import org.galerna.bench.report.Report;
import org.galerna.bench.report.ThisMachine;
import org.galerna.bench.sockets.SocketBenchmark;
import org.galerna.launch.GalernaPath;
import org.galerna.sockets.Agent;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code galerna bench sockets}. */
@Command(
        name = "sockets",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description =
                "Compares the sockets of Java with fast ones between two processes, in turns: round trips with the processes on "
                        + "separate cores, on one core and unbound, streams, arrays, HTTP, Netty and connections. Prints "
                        + "medians, ratios, and how many processors are busy.")
final class SocketBenchCommand implements Callable<Integer> {
    private static final int WARM_UP_MILLIS = 300;

    @Option(
            names = "--quick",
            description = "run so briefly that the figures mean nothing, to see that everything works")
    private boolean quick;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "write the whole report as JSON; \"galerna bench report\" reads it")
    private @Nullable Path json;

    @Option(names = "--html", paramLabel = "FILE", description = "write the report as a page with charts")
    private @Nullable Path html;

    @Option(names = "--title", paramLabel = "TEXT", description = "title of this run in the report")
    private String title = "Galerna: sockets";

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        OutputPath.checkFile("--json", json);
        OutputPath.checkFile("--html", html);
        Instant begun = Instant.now();
        SocketBenchmark.Outcome outcome = SocketBenchmark.run(
                new SocketBenchmark.Options(
                        port -> Agent.javaOptions("exclude=" + port)
                                .orElseThrow(() -> new UsageException("this works from galerna.jar only")),
                        GalernaPath.classPath(),
                        quick ? 1 : WARM_UP_MILLIS,
                        quick ? 3 : 11,
                        quick ? 2 : 20),
                System.out);
        Report report = new Report(
                title,
                begun,
                typed(),
                ThisMachine.describe(),
                new TreeMap<>(Map.of("galerna", Version.ofGalerna())),
                outcome.notes(),
                outcome.results());
        if (json != null) {
            JsonReports.write(report, json);
        }
        if (html != null) {
            HtmlReport.write(List.of(report), html);
        }
        return 0;
    }

    private String typed() {
        List<String> words = new ArrayList<>(List.of(spec.root().name()));
        words.addAll(spec.root().commandLine().getParseResult().originalArgs());
        return String.join(" ", words);
    }
}
