package org.galerna.launch.process;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.galerna.launch.GalernaJvm;
import org.galerna.launch.GalernaPath;
import org.galerna.launch.report.StackTraces;

/**
 * Whether the virtual machines of ranks are given an ahead-of-time cache.
 *
 * @param file the cache, if there is one
 * @param why why there is none; empty if there is one
 * @param asModule whether it is for virtual machines that have Galerna as a module beside the program
 */
public record CacheChoice(Optional<Path> file, String why, boolean asModule) {
    /** What the ranks of a job take, made if it is not there. */
    static CacheChoice forRanksOf(AgentJob job) {
        if (!job.modules().isEmpty()) {
            return none("the program is a module");
        }
        if (!job.aotCache().isEmpty()) {
            CacheChoice none = none("this job makes one");
            return job.classPath().isEmpty() ? none.forModule() : none;
        }
        double percent = RankCommand.memoryPercent(job);
        return job.ranksPerProcess() == 1
                ? AotCache.ofRanks(
                        job.jvmOptions(),
                        percent,
                        job.ranks() <= Runtime.getRuntime().availableProcessors(),
                        GalernaPath.isModule() && !OwnNames.mayBeIn(job.classPath(), Path.of(job.workingFolder())))
                : AotCache.ofThreads(job.jvmOptions(), percent);
    }

    static CacheChoice of(Path file) {
        return new CacheChoice(Optional.of(file), "", false);
    }

    static CacheChoice none(String why) {
        return new CacheChoice(Optional.empty(), why, false);
    }

    /** The same for virtual machines that have Galerna as a module. */
    CacheChoice forModule() {
        return new CacheChoice(file, why, true);
    }

    /** Whether the user wants to know. */
    public static boolean isToldTo(List<String> jvmOptions) {
        return jvmOptions.contains(StackTraces.VERBOSE);
    }

    /**
     * What lets a virtual machine take the file. One that turns out not to fit is no error, its classes are loaded one by one then; the
     * virtual machine says why if the user wants to know.
     */
    public List<String> options(List<String> jvmOptions) {
        List<String> options = new ArrayList<>();
        file.ifPresent(cache -> {
            options.add(GalernaJvm.AOT_CACHE + cache);
            options.addAll(GalernaJvm.AOT_USE);
            if (!isToldTo(jvmOptions)) {
                options.addAll(GalernaJvm.AOT_SILENCE);
            }
        });
        return options;
    }

    /** One line for the user. */
    public String words() {
        return file.map(cache -> "ranks start from the ahead-of-time cache " + cache)
                .orElse("ranks start without an ahead-of-time cache: " + why);
    }
}
