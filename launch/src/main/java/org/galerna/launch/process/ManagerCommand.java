package org.galerna.launch.process;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.galerna.launch.BindTo;

/** The command line with which a job manager of the system starts the ranks: MPICH's, Open MPI's or Slurm's. */
public final class ManagerCommand {
    /** The managers by the names of their commands. */
    public static final List<String> NAMES = List.of("mpiexec", "mpirun", "srun");

    private final String program;
    private final Dialect dialect;

    /** How a manager wants to be told things. */
    private enum Dialect {
        HYDRA("-hosts", "-wdir", "-prepend-rank", "-bind-to"),
        OPEN_MPI("--host", "--wdir", "--tag-output", "--bind-to"),
        SLURM("--nodelist", "--chdir", "--label", "--cpu-bind");

        private final String hosts;
        private final String folder;
        private final String label;
        private final String binding;

        Dialect(String hosts, String folder, String label, String binding) {
            this.hosts = hosts;
            this.folder = folder;
            this.label = label;
            this.binding = binding;
        }
    }

    private ManagerCommand(String program, Dialect dialect) {
        this.program = program;
        this.dialect = dialect;
    }

    /**
     * The manager of that name on the path.
     *
     * @param name one of {@link #NAMES}
     * @throws LaunchException if there is none
     */
    public static ManagerCommand find(String name) {
        Path program = onThePath(name)
                .orElseThrow(() -> new LaunchException("--launcher " + name + ": there is no " + name
                        + " on the path; install it, or leave --launcher away"));
        return name.equals("srun")
                ? new ManagerCommand(program.toString(), Dialect.SLURM)
                : ofVersion(program.toString(), version(program));
    }

    /** MPICH and Open MPI have commands of the same names. */
    static ManagerCommand ofVersion(String program, String version) {
        boolean openMpi =
                List.of("Open MPI", "OpenRTE", "PRRTE", "prte").stream().anyMatch(version::contains);
        return new ManagerCommand(program, openMpi ? Dialect.OPEN_MPI : Dialect.HYDRA);
    }

    private static Optional<Path> onThePath(String name) {
        return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    private static String version(Path program) {
        try {
            Process process = new ProcessBuilder(program.toString(), "--version")
                    .redirectErrorStream(true)
                    .start();
            process.getOutputStream().close();
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unusable) {
            throw new LaunchException(program + " cannot be started: " + unusable.getMessage(), unusable);
        }
    }

    /**
     * The words of the command.
     *
     * @param hosts where to run; empty for the manager's own choice
     * @param bindTo what ranks are bound to; {@link BindTo#AUTO} for the manager's own choice
     * @param rank the command of a rank
     * @throws LaunchException if the manager cannot do that
     */
    public List<String> words(
            int ranks, List<Host> hosts, Path folder, boolean labelled, BindTo bindTo, List<String> rank) {
        List<String> words = new ArrayList<>(List.of(program, "-n", String.valueOf(ranks)));
        if (!hosts.isEmpty()) {
            words.addAll(List.of(dialect.hosts, hosts.stream().map(this::host).collect(Collectors.joining(","))));
        }
        words.addAll(List.of(dialect.folder, folder.toString()));
        if (labelled) {
            words.add(dialect.label);
        }
        if (bindTo != BindTo.AUTO) {
            boolean core = bindTo == BindTo.CORE;
            words.addAll(List.of(dialect.binding, core ? dialect == Dialect.SLURM ? "cores" : "core" : "none"));
        }
        words.addAll(rank);
        return words;
    }

    private String host(Host host) {
        if (dialect == Dialect.SLURM && host.slots().isPresent()) {
            throw new LaunchException("srun takes hosts without numbers, not " + host.name() + ":"
                    + host.slots().getAsInt());
        }
        return host.slots().isPresent() ? host.name() + ":" + host.slots().getAsInt() : host.name();
    }
}
