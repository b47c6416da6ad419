package org.galerna.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.galerna.bench.pingpong.PingPong;
import org.galerna.launch.ThreadJob;
import org.galerna.launch.report.JobResult;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code galerna bench pingpong}. */
@Command(
        name = "pingpong",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = {
            "Latency and bandwidth of blocking Send and Recv of byte[] between two ranks, in turns with TCP and UNIX "
                    + "sockets, the bare cache line and an array copy; message rate; allocation."
        })
final class PingPongCommand implements Callable<Integer> {
    @Option(
            names = "--sizes",
            paramLabel = "BYTES",
            description = "message sizes, separated by commas; default: 1 B to 16 MiB, doubling")
    private @Nullable String sizes;

    @Option(
            names = "--repetitions",
            paramLabel = "N",
            description = "batches of about a millisecond per size; default: ${DEFAULT-VALUE}")
    private int repetitions = 20;

    @Option(
            names = "--window",
            paramLabel = "N",
            description = "messages in flight for the message rate; default: ${DEFAULT-VALUE}")
    private int window = 64;

    @Option(names = "--bind-to", paramLabel = "core|none", description = "as for galerna run")
    private @Nullable String bindTo;

    @Override
    public Integer call() {
        List<String> arguments = new ArrayList<>();
        if (sizes != null) {
            if (!sizes.matches("\\d{1,9}(,\\d{1,9})*")) {
                throw new UsageException("--sizes are numbers of bytes, separated by commas: " + sizes);
            }
            arguments.add("sizes=" + sizes);
        }
        if (repetitions < 1 || window < 1) {
            throw new UsageException("--repetitions and --window are at least 1");
        }
        arguments.add("repetitions=" + repetitions);
        arguments.add("window=" + window);
        JobResult result = ThreadJob.builder()
                .ranks(2)
                .mainClass(PingPong.class.getName())
                .arguments(arguments)
                .bindTo(BindOption.parse(bindTo))
                .build()
                .run();
        System.err.print(result.report());
        return result.status();
    }
}
