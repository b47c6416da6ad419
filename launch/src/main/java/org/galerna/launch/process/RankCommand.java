package org.galerna.launch.process;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.galerna.launch.GalernaJvm;
import org.galerna.launch.GalernaPath;
import org.galerna.launch.ProgramModules;
import org.galerna.launch.place.Inlining;

/** The command of a process of ranks. */
final class RankCommand {
    /** What a virtual machine takes of the memory of its host, in percent, unless it is told otherwise. */
    private static final int USUAL_SHARE = 25;

    /** What the ranks of a host take of its memory together, in percent. */
    private static final int COMMON_SHARE = 80;

    private final AgentJob job;
    private final Path socket;
    private final List<String> start;
    private final ProgramModules.InOneMachine inOneMachine;

    /**
     * Commands for the ranks of a job on this host.
     *
     * @param socket where the agent listens
     * @param aotCache what makes virtual machines start sooner
     */
    RankCommand(AgentJob job, Path socket, CacheChoice aotCache) {
        this.job = job;
        this.socket = socket;
        this.inOneMachine = job.modules().inOneMachine(job.jvmOptions(), job.mainClass());
        boolean shared = job.ranksPerProcess() > 1;
        List<String> options = shared ? inOneMachine.jvmOptions() : job.jvmOptions();
        this.start = GalernaJvm.upToOptions(options, aotCache.asModule());
        if (shared) {
            start.addAll(GalernaJvm.optionsOfThreads(Math.min(job.ranksPerProcess(), job.ranks())));
        } else {
            start.addAll(Inlining.optionsOfOneRank());
        }
        start.addAll(aotCache.options(job.jvmOptions()));
        double percent = memoryPercent(job);
        if (percent > 0) {
            start.add("-XX:MaxRAMPercentage=".concat(String.valueOf(percent)));
        }
        start.addAll(options);
        if (aotCache.asModule()) {
            start.addAll(GalernaJvm.asModule());
            start.addAll(List.of("-cp", OwnNames.without(job.classPath())));
        } else if (shared || job.modules().isEmpty()) {
            start.add("-cp");
            // ranks that share a process have class loaders of their own for the program
            start.add(
                    !shared && !job.classPath().isEmpty() && !job.classPath().equals(GalernaPath.classPath())
                            ? GalernaPath.classPath() + File.pathSeparator + job.classPath()
                            : GalernaPath.classPath());
        } else {
            start.addAll(GalernaJvm.ofModules(job.modules(), job.mainClass(), job.classPath()));
        }
    }

    /** How much of the host's memory the heap of a process may take, in percent; 0 for what it takes unless it is told. */
    static double memoryPercent(AgentJob job) {
        int processes = Math.ceilDiv(job.ranks(), job.ranksPerProcess());
        return processes * USUAL_SHARE > COMMON_SHARE ? (double) COMMON_SHARE / processes : 0;
    }

    /** The command of the process that begins with a rank. */
    List<String> of(int rank) {
        List<String> command = new ArrayList<>(start);
        if (rank == 0 && !job.aotCache().isEmpty()) {
            command.addAll(1, AotCache.optionsToMake(Path.of(job.aotCache())));
        }
        if (job.ranksPerProcess() == 1) {
            if (!job.modules().isEmpty()) {
                command.add("-m");
            }
            command.addAll(List.of(
                    (job.modules().isEmpty() ? "" : GalernaJvm.MODULE + "/") + RankMain.class.getName(),
                    socket.toString(),
                    String.valueOf(rank),
                    job.classPath(),
                    job.modulePath()));
        } else {
            int ranks = Math.min(job.ranksPerProcess(), job.firstRank() + job.ranks() - rank);
            command.addAll(List.of(
                    SeveralRanksMain.class.getName(),
                    socket.toString(),
                    String.valueOf(rank),
                    String.valueOf(ranks),
                    String.valueOf(job.labelled()),
                    job.classPath(),
                    job.modulePath(),
                    String.join(" ", inOneMachine.modules().options())));
        }
        command.add(job.mainClass());
        command.addAll(job.arguments());
        return command;
    }
}
