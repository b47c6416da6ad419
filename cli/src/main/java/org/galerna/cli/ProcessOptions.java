package org.galerna.cli;

import java.util.List;
import org.galerna.launch.process.Host;
import org.galerna.launch.process.ManagerCommand;
import org.galerna.launch.process.ProcessJob;
import picocli.CommandLine.Option;

/** How ranks run, if not as threads of one JVM. */
final class ProcessOptions extends HostOptions {
    @Option(
            names = "--ranks-per-process",
            paramLabel = "K",
            description = "so many ranks are threads of one process; default: ${DEFAULT-VALUE}")
    private int ranksPerProcess = 1;

    @Option(
            names = "--launcher",
            paramLabel = "ssh|mpiexec|mpirun|srun",
            description = "what starts the processes; ssh is Galerna itself; default: ${DEFAULT-VALUE}")
    private String launcher = "ssh";

    @Option(names = "--explain", description = "say which link serves which ranks, and why the others do not")
    private boolean explained;

    /** Whether ranks are processes. */
    boolean areProcesses() {
        return namesProcesses() || ranksPerProcess != 1 || usesManager();
    }

    boolean isExplained() {
        return explained;
    }

    /** Whether a manager of the system starts them. */
    boolean usesManager() {
        return !launcher.equals("ssh");
    }

    ManagerCommand manager() {
        if (!ManagerCommand.NAMES.contains(launcher)) {
            throw new UsageException("--launcher is ssh, " + String.join(", ", ManagerCommand.NAMES) + ": " + launcher);
        }
        if (ranksPerProcess != 1) {
            throw new UsageException("--ranks-per-process is for --launcher ssh, not for " + launcher);
        }
        return ManagerCommand.find(launcher);
    }

    void addTo(ProcessJob.Builder job, List<Host> hosts) {
        if (ranksPerProcess < 1) {
            throw new UsageException("--ranks-per-process is at least 1: " + ranksPerProcess);
        }
        job.ranksPerProcess(ranksPerProcess).ssh(sshCommand()).explained(explained);
        if (!hosts.isEmpty()) {
            job.hosts(hosts);
        }
        java().ifPresent(job::java);
    }
}
