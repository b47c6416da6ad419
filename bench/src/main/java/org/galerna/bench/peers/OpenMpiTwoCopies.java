package org.galerna.bench.peers;

import java.util.List;

/**
 * Open MPI without copies by the kernel: large messages go through its shared memory in pieces, which on many machines,
 * virtual ones above all, is its faster way by far.
 */
public final class OpenMpiTwoCopies extends OpenMpi {
    /** As it is found on the search path of commands. */
    public OpenMpiTwoCopies() {
        super("openmpi-nocma", MpiInstallation.searchPath());
    }

    /** Open MPI 4 knows the first name, Open MPI 5 the second one; each ignores the other's. */
    @Override
    List<String> launcherArguments(int ranks) {
        List<String> arguments = super.launcherArguments(ranks);
        arguments.addAll(List.of("--mca", "btl_vader_single_copy_mechanism", "none"));
        arguments.addAll(List.of("--mca", "smsc", "^cma,xpmem,knem"));
        return arguments;
    }
}
