package org.galerna.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.galerna.launch.process.Host;
import org.galerna.launch.process.HostList;
import org.galerna.launch.process.ProcessJob;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where ranks run that are processes. */
class HostOptions {
    @Option(names = "--procs", description = "every rank is a process of its own")
    private boolean processes;

    @Option(
            names = {"--hosts", "-hosts"},
            paramLabel = "HOST[:RANKS],...",
            description =
                    "run processes on these hosts, e.g. a:2,b:2; reached by ssh, which must not ask for a password")
    private @Nullable String hosts;

    @Option(
            names = {"--hostfile", "-hostfile", "-machinefile"},
            paramLabel = "FILE",
            description = "the same from a file: a line for each host, \"name\", \"name:2\" or \"name slots=2\"")
    private @Nullable Path hostFile;

    @Option(
            names = "--ssh-command",
            paramLabel = "WORDS",
            description = "what reaches another host, e.g. \"ssh -F my.config\"; default: GALERNA_SSH, or ssh")
    private @Nullable String sshCommand;

    @Option(
            names = "--java",
            paramLabel = "PATH",
            description =
                    "java, or the folder of a JDK, on other hosts; default: the same path as here, or JAVA_HOME there")
    private @Nullable Path java;

    /** Whether an option says that ranks are processes. */
    final boolean namesProcesses() {
        return processes || hosts != null || hostFile != null;
    }

    /** The Java of other hosts, if the user has named one. */
    final Optional<Path> java() {
        return Optional.ofNullable(java);
    }

    /** The hosts that the user has named; none for this one. */
    final List<Host> hosts() {
        if (hosts != null && hostFile != null) {
            throw new UsageException("--hosts and --hostfile name the same thing: leave one away");
        }
        if (hosts != null) {
            return HostList.parse(hosts);
        }
        return hostFile == null ? List.of() : HostList.read(hostFile);
    }

    /** The words of the command that reaches another host. */
    final List<String> sshCommand() {
        String text = sshCommand == null ? System.getenv().getOrDefault("GALERNA_SSH", "") : sshCommand;
        List<String> words = new ArrayList<>(Arrays.asList(text.strip().split("\\s+")));
        words.removeIf(String::isEmpty);
        return words.isEmpty() ? ProcessJob.SSH : words;
    }
}
