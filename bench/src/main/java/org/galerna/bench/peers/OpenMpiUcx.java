package org.galerna.bench.peers;

import java.util.List;

/** Open MPI over UCX, whatever network that finds: unasked it takes UCX for adapters of InfiniBand alone. */
public final class OpenMpiUcx extends OpenMpi {
    /** As it is found on the search path of commands. */
    public OpenMpiUcx() {
        super("openmpi-ucx", MpiInstallation.searchPath());
    }

    /** UCX's own variables, such as {@code UCX_TLS}, choose among its networks. */
    @Override
    List<String> launcherArguments(int ranks) {
        List<String> arguments = super.launcherArguments(ranks);
        arguments.addAll(List.of("--mca", "pml", "ucx"));
        arguments.addAll(List.of("--mca", "opal_common_ucx_tls", "any"));
        arguments.addAll(List.of("--mca", "opal_common_ucx_devices", "any"));
        return arguments;
    }
}
