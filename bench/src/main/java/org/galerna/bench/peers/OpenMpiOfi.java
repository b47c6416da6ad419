package org.galerna.bench.peers;

import java.util.List;

/** Open MPI over libfabric, also where that has sockets alone, which it does not take unasked. */
public final class OpenMpiOfi extends OpenMpi {
    /** As it is found on the search path of commands. */
    public OpenMpiOfi() {
        super("openmpi-ofi", MpiInstallation.searchPath());
    }

    @Override
    List<String> launcherArguments(int ranks) {
        List<String> arguments = super.launcherArguments(ranks);
        arguments.addAll(List.of("--mca", "pml", "cm", "--mca", "mtl", "ofi"));
        arguments.addAll(List.of("--mca", "mtl_ofi_provider_exclude", "shm,sockets,udp,UDP,rstream,usnic,net"));
        return arguments;
    }
}
