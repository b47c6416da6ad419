package org.galerna.bench.sockets;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.galerna.bench.build.GalernaBuild;
import org.galerna.bench.suite.Answer;
import org.galerna.bench.suite.Benchmark;
import org.galerna.bench.suite.Command;
import org.galerna.bench.suite.Contender;
import org.galerna.bench.suite.ContenderException;
import org.galerna.bench.suite.ContenderFactory;

/**
 * A client and a server with sockets, each a process on a core of its own, for the suite.
 *
 * @param build whose program is run
 * @param isFast whether its sockets are fast ones; otherwise they are those of the platform
 */
public record SocketSystem(GalernaBuild build, boolean isFast) implements ContenderFactory {
    private static final List<String> MEASURED =
            Benchmark.connections().stream().map(Benchmark::word).toList();

    /** Fast sockets of this build. */
    public static SocketSystem fast() {
        return new SocketSystem(GalernaBuild.own(), true);
    }

    /** The sockets of the platform. */
    public static SocketSystem platform() {
        return new SocketSystem(GalernaBuild.own(), false);
    }

    @Override
    public String name() {
        return isFast ? build.system() : "jdk";
    }

    @Override
    public Optional<String> unavailable() {
        return Optional.empty();
    }

    @Override
    public Optional<ContenderFactory> of(GalernaBuild other) {
        return isFast ? Optional.of(new SocketSystem(other, true)) : Optional.empty();
    }

    /** Programs of several threads, whose compilers have the same cores. */
    @Override
    public int warmUps() {
        return 2;
    }

    @Override
    public Contender start(int ranks) {
        if (ranks != 2) {
            throw new ContenderException("sockets are for 2 ranks");
        }
        List<String> program = List.of("-cp", build.classPath(), SocketWork.class.getName());
        try {
            int plainPort = SocketBenchmark.unusedPort();
            SocketProcesses processes = isFast
                    ? new SocketProcesses(build.fastSockets(plainPort), program, List.of(Integer.toString(plainPort)))
                    : new SocketProcesses(List.of("--enable-native-access=ALL-UNNAMED"), program, List.of("0"));
            if (Placement.unavailable().isEmpty()) {
                processes.place(Placement.OWN_CORES);
            }
            return new Pair(name(), isFast ? "sockets" : "", processes);
        } catch (IOException failed) {
            throw new ContenderException(name() + " cannot be started: " + failed.getMessage(), failed);
        }
    }

    /** The two processes under measurement. */
    private record Pair(String system, String level, SocketProcesses processes) implements Contender {
        @Override
        public List<Answer> run(List<Command> commands) {
            List<Answer> answers = new ArrayList<>();
            try {
                for (Command command : commands) {
                    answers.add(
                            MEASURED.contains(command.benchmark())
                                    ? Answer.of(processes.measure(
                                            command.benchmark(), (int) command.bytes(), command.iterations()))
                                    : Answer.unknown(command));
                }
            } catch (IOException | UncheckedIOException gone) {
                throw new ContenderException(name() + " cannot be measured: " + gone.getMessage(), gone);
            }
            return answers;
        }

        @Override
        public void close() {
            processes.close();
        }
    }
}
