package org.galerna.bench.peers;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Open MPI as it is installed: messages of some kilobytes and more are copied once, by the kernel. With more ranks than
 * processors it yields by itself when a rank waits.
 */
public class OpenMpi extends MpiPeer {
    private static final String PACKAGES = "openmpi-bin libopenmpi-dev";

    /** What is said where none is found. */
    static final String MISSING = missing(PACKAGES);

    /** As it is found on the search path of commands. */
    public OpenMpi() {
        this("openmpi", MpiInstallation.searchPath());
    }

    OpenMpi(String name, List<Path> folders) {
        super(name, PACKAGES, find(folders));
    }

    static Optional<MpiInstallation> find(List<Path> folders) {
        return MpiInstallation.find("openmpi", List.of("OpenRTE", "Open MPI"), folders);
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
