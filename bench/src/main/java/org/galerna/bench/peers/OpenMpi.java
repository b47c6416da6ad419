package org.galerna.bench.peers;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Open MPI as it is installed: messages of some kilobytes and more are copied once, by the kernel. With more ranks than
 * processors it yields by itself when a rank waits.
 */
public class OpenMpi extends MpiPeer {
    /** As it is found on the search path of commands. */
    public OpenMpi() {
        this("openmpi", MpiInstallation.searchPath());
    }

    OpenMpi(String name, List<Path> folders) {
        super(
                name,
                "openmpi-bin libopenmpi-dev",
                MpiInstallation.find("openmpi", List.of("OpenRTE", "Open MPI"), folders));
    }

    @Override
    List<String> launcherArguments(int ranks) {
        return new ArrayList<>(List.of(
                "--allow-run-as-root",
                "--oversubscribe",
                "--bind-to",
                processorForEach(ranks) ? "core:overload-allowed" : "none"));
    }
}
