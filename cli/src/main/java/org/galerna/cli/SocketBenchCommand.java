package org.galerna.cli;

import java.io.IOException;
import java.util.concurrent.Callable;
import org.galerna.bench.sockets.SocketBenchmark;
import org.galerna.launch.GalernaPath;
import org.galerna.sockets.Agent;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code galerna bench sockets}. */
@Command(
        name = "sockets",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description =
                "Sockets of the platform and fast ones in turns, between two processes: round trips, streams, arrays, "
                        + "connections; medians, and how many processors are busy with it.")
final class SocketBenchCommand implements Callable<Integer> {
    @Option(names = "--quick", description = "so short that it only shows that everything runs")
    private boolean quick;

    @Override
    public Integer call() throws IOException {
        SocketBenchmark.run(
                Agent.javaOptions("")
                        .orElseThrow(() -> new UsageException("this runs from galerna.jar, which is the agent too")),
                GalernaPath.classPath(),
                quick ? 3 : 15,
                quick ? 2 : 30,
                System.out);
        return 0;
    }
}
