package org.galerna.bench.peers;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.galerna.bench.suite.Contender;
import org.galerna.bench.suite.ContenderException;

/** MPICH. */
public final class Mpich extends MpiPeer {
    /** As it is found on the search path of commands. */
    public Mpich() {
        this(MpiInstallation.searchPath());
    }

    Mpich(List<Path> folders) {
        super("mpich", "mpich libmpich-dev", MpiInstallation.find("mpich", List.of("HYDRA"), folders));
    }

    @Override
    List<String> launcherArguments(int ranks) {
        return List.of("-bind-to", "core");
    }

    /**
     * Where MPICH stands on UCX, as Debian's does, it lets the kernel copy messages from some kilobytes on, or passes
     * them in pieces of 8 KiB. In pieces of 32 KiB a message of 64 KiB or more takes less than half of the time. UCX
     * fails with pieces of 64 KiB. Other builds of MPICH ignore these variables.
     */
    @Override
    Map<String, String> environment() {
        return Map.of("UCX_RNDV_THRESH", "inf", "UCX_POSIX_SEG_SIZE", "32k", "UCX_SYSV_SEG_SIZE", "32k");
    }

    /** Complains of more ranks than there are processors for. */
    static void requireProcessorForEach(int ranks) {
        if (!processorForEach(ranks)) {
            throw new ContenderException("its ranks spin without yielding, and with more of them than processors ("
                    + Runtime.getRuntime().availableProcessors() + ") a barrier takes milliseconds");
        }
    }

    @Override
    public Contender start(int ranks) {
        requireProcessorForEach(ranks);
        return super.start(ranks);
    }
}
