package org.galerna.testkit.process;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A job manager's program that starts ranks, e.g. {@code mpiexec}. Where it is not installed, the factories skip the test.
 *
 * @param name what reports of tests call it
 * @param start the program and its options, up to the one that the number of ranks follows
 * @param environment variables that it needs
 */
public record JobLauncher(String name, List<String> start, Map<String, String> environment) {
    /** MPICH's, which offers PMI-1 through a socket that ranks inherit. */
    public static JobLauncher hydra() {
        return new JobLauncher("mpiexec", List.of(mpiexec(), "-n"), Map.of());
    }

    /** MPICH's, with a port that ranks connect to. */
    public static JobLauncher hydraWithPort() {
        return new JobLauncher("mpiexec -pmi-port", List.of(mpiexec(), "-pmi-port", "-n"), Map.of());
    }

    private static String mpiexec() {
        return Tools.require("mpiexec.mpich", "mpich").toString();
    }

    /** Open MPI's, which offers PMIx; also if the user is root, and with more ranks than cores. */
    public static JobLauncher openMpi() {
        Path mpirun = Tools.require("mpirun.openmpi", "openmpi-bin libpmix2");
        return new JobLauncher(
                "mpirun",
                List.of(mpirun.toString(), "--oversubscribe", "-n"),
                Map.of("OMPI_ALLOW_RUN_AS_ROOT", "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"));
    }

    /** The command that starts a job of {@code ranks} processes. */
    public List<String> command(int ranks, List<String> program) {
        List<String> command = new ArrayList<>(start);
        command.add(String.valueOf(ranks));
        command.addAll(program);
        return command;
    }

    /** Starts a job of {@code ranks} processes. */
    public ChildProcess start(int ranks, List<String> program) {
        ProcessBuilder builder = new ProcessBuilder(command(ranks, program));
        builder.environment().putAll(environment);
        return ChildProcess.start(builder);
    }

    /**
     * This launcher as the only process of a job of another one. What the manager outside has to say about hosts it is told
     * to ignore: its processes run where it does.
     */
    public JobLauncher inside(JobLauncher outer) {
        List<String> local = start.getFirst().endsWith("mpich")
                ? List.of("-launcher", "fork", "-rmk", "user")
                : List.of("--mca", "ras", "^slurm", "--mca", "plm", "isolated");
        List<String> all = new ArrayList<>(outer.command(1, List.of(start.getFirst())));
        all.addAll(local);
        all.addAll(start.subList(1, start.size()));
        Map<String, String> variables = new HashMap<>(outer.environment);
        variables.putAll(environment);
        return new JobLauncher(name + " inside " + outer.name, all, variables);
    }

    @Override
    public String toString() {
        return name;
    }
}
