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

    /**
     * The words that start a program on so many ranks, before the program; empty if there is no Open MPI.
     *
     * @param ranks how many
     */
    public static Optional<List<String>> launch(int ranks) {
        return find(MpiInstallation.searchPath()).map(found -> {
            List<String> words = new ArrayList<>(List.of(found.launcher().toString()));
            words.addAll(placement(ranks));
            words.addAll(List.of("-n", Integer.toString(ranks)));
            return words;
        });
    }

    private static List<String> placement(int ranks) {
        return List.of(
                "--allow-run-as-root",
                "--oversubscribe",
                "--bind-to",
                processorForEach(ranks) ? "core:overload-allowed" : "none");
    }

    @Override
    List<String> launcherArguments(int ranks) {
        return new ArrayList<>(placement(ranks));
    }
}
