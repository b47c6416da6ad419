package org.galerna.cli.options;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.galerna.cli.usage.UsageException;
import org.galerna.launch.process.Host;
import org.galerna.launch.process.HostList;
import org.galerna.launch.process.ProcessJob;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where ranks run that are processes. */
public class HostOptions {
    @Option(names = "--procs", description = "run each rank as a process of its own")
    private boolean processes;

    @Option(
            names = {"--hosts", "-hosts"},
            paramLabel = "HOST[:RANKS],...",
            description = "run processes on these hosts, such as a:2,b:2; ssh must reach them without a password")
    private @Nullable String hosts;

    @Option(
            names = {"--hostfile", "-hostfile", "-machinefile"},
            paramLabel = "FILE",
            description = "file of hosts, one on each line: \"name\", \"name:2\" or \"name slots=2\"")
    private @Nullable Path hostFile;

    @Option(
            names = "--ssh-command",
            paramLabel = "WORDS",
            description =
                    "command that reaches another host, such as \"ssh -F my.config\"; default: GALERNA_SSH, or ssh")
    private @Nullable String sshCommand;

    @Option(
            names = "--java",
            paramLabel = "PATH",
            description =
                    "java, or the folder of a JDK, on the other hosts; default: the same path as here, or JAVA_HOME there")
    private @Nullable Path java;

    /** No option is given. */
    public HostOptions() {}

    /** No option is given but, perhaps, that each rank is a process. */
    HostOptions(boolean processes) {
        this.processes = processes;
    }

    /** Whether an option says that ranks are processes. */
    public final boolean namesProcesses() {
        return processes || namesHosts();
    }

    /** Whether an option says on which hosts. */
    final boolean namesHosts() {
        return hosts != null || hostFile != null;
    }

    /** The Java of other hosts, if the user has named one. */
    final Optional<Path> java() {
        return Optional.ofNullable(java);
    }

    /** The hosts that the user has named; none for this one. */
    public final List<Host> hosts() {
        if (hosts != null && hostFile != null) {
            throw new UsageException("--hosts and --hostfile both name the hosts: give one of them");
        }
        if (hosts != null) {
            return HostList.parse(hosts);
        }
        return hostFile == null ? List.of() : HostList.read(hostFile);
    }

    /** The words of the command that reaches another host. */
    public final List<String> sshCommand() {
        String text = sshCommand == null ? System.getenv().getOrDefault("GALERNA_SSH", "") : sshCommand;
        List<String> words = new ArrayList<>(Arrays.asList(text.strip().split("\\s+")));
        words.removeIf(String::isEmpty);
        return words.isEmpty() ? ProcessJob.SSH : words;
    }
}
