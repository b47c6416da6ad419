package org.galerna.cli.options;

import java.util.List;
import org.galerna.cli.usage.UsageException;
import org.galerna.launch.JobCost;
import org.galerna.launch.process.Host;
import org.galerna.launch.process.ManagerCommand;
import org.galerna.launch.process.ProcessJob;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How ranks run, if not as threads of one JVM. */
public final class ProcessOptions extends HostOptions {
    @Option(
            names = "--ranks-per-process",
            paramLabel = "K",
            description = "ranks are processes with this many ranks as threads in each; default: 1")
    private @Nullable Integer ranksPerProcess;

    @Option(
            names = "--launcher",
            paramLabel = "ssh|mpiexec|mpirun|srun",
            description =
                    "program that starts the processes; ssh: Galerna starts them itself; default: ${DEFAULT-VALUE}")
    private String launcher = "ssh";

    @Option(
            names = "--explain",
            description =
                    "print which link connects which ranks, why other links do not, and what ranks take of their host")
    private boolean explained;

    /** No option is given. */
    public ProcessOptions() {}

    /** No option is given but, perhaps, that each rank is a process. */
    public ProcessOptions(boolean processes) {
        super(processes);
    }

    /** Whether ranks are processes. */
    public boolean areProcesses() {
        return namesProcesses() || ranksPerProcess != null || usesManager();
    }

    private int ranksPerProcess() {
        return ranksPerProcess == null ? 1 : ranksPerProcess;
    }

    public boolean isExplained() {
        return explained;
    }

    /** Whether a manager of the system starts them. */
    public boolean usesManager() {
        return !launcher.equals("ssh");
    }

    /** What so many ranks take of this host. */
    public JobCost cost(int ranks) {
        return areProcesses()
                ? JobCost.ofProcesses(
                        ranks,
                        Math.max(1, ranksPerProcess()),
                        Runtime.getRuntime().availableProcessors())
                : JobCost.ofThreads(ranks);
    }

    /** Whether so many ranks are threads of one process. */
    public boolean isOneProcess(int ranks) {
        return !areProcesses() || (areAllHere() && ranksPerProcess() >= ranks);
    }

    /** Whether all ranks run on this host for certain. */
    public boolean areAllHere() {
        return !namesHosts() && !usesManager();
    }

    public ManagerCommand manager() {
        if (!ManagerCommand.NAMES.contains(launcher)) {
            throw new UsageException(
                    "--launcher takes ssh, " + String.join(", ", ManagerCommand.NAMES) + ", not \"" + launcher + "\"");
        }
        if (ranksPerProcess() != 1) {
            throw new UsageException("--ranks-per-process works with --launcher ssh only, not with " + launcher);
        }
        return ManagerCommand.find(launcher);
    }

    public void addTo(ProcessJob.Builder job, List<Host> hosts) {
        if (ranksPerProcess() < 1) {
            throw new UsageException("--ranks-per-process takes a number from 1, not " + ranksPerProcess());
        }
        job.ranksPerProcess(ranksPerProcess()).ssh(sshCommand()).explained(explained);
        if (!hosts.isEmpty()) {
            job.hosts(hosts);
        }
        java().ifPresent(job::java);
    }
}
