package org.galerna.cli.doctor;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Programs that start ranks as processes, on the path. None is run: what they are shows in what their names stand for. */
final class LauncherCheck {
    /** Where distributions and Slurm's own build put its plugins, one folder level below a library folder. */
    private static final List<Path> LIBRARY_FOLDERS =
            List.of(Path.of("/usr/lib"), Path.of("/usr/lib64"), Path.of("/usr/local/lib"), Path.of("/opt"));

    private LauncherCheck() {}

    static List<Finding> findings() {
        return List.of(
                look("mpiexec", "MPICH's and Open MPI's launcher"),
                look("mpirun", "MPICH's and Open MPI's launcher"),
                look("prterun", "PRRTE's launcher"),
                slurm(),
                look("ssh", "jobs on several hosts without a launcher"));
    }

    private static Finding look(String program, String purpose) {
        return find(program)
                .map(path -> Finding.good(program, path.toString(), meaning(path)))
                .orElseGet(() -> Finding.less(program, "not on the path", "For " + purpose + "."));
    }

    /** Whose launcher it is, by the file that the name leads to; several packages share the name {@code mpiexec}. */
    private static String meaning(Path program) {
        String file;
        try {
            file = String.valueOf(program.toRealPath().getFileName());
        } catch (IOException unreadable) {
            return "";
        }
        if (file.contains("hydra") || file.contains("mpich")) {
            return "MPICH's Hydra. It offers PMI: nothing else is needed.";
        }
        if (file.contains("orterun") || file.contains("openmpi")) {
            return "Open MPI's. It offers PMIx: ranks need libpmix.so.2, see above.";
        }
        if (file.contains("prte")) {
            return "PRRTE's, or Open MPI 5's. It offers PMIx: ranks need libpmix.so.2, see above.";
        }
        return "";
    }

    private static Finding slurm() {
        Optional<Path> srun = find("srun");
        if (srun.isEmpty()) {
            return Finding.less("srun", "not on the path", "For Slurm's launcher.");
        }
        List<String> kinds = plugins();
        String found = kinds.isEmpty() ? "" : ", --mpi=" + String.join("|", kinds);
        return kinds.isEmpty() || kinds.contains("pmix") || kinds.contains("pmi2")
                ? Finding.good("srun", srun.get() + found, "Ranks need --mpi=pmix (with libpmix.so.2) or --mpi=pmi2.")
                : Finding.less(
                        "srun",
                        srun.get() + found,
                        "Ranks need --mpi=pmix or --mpi=pmi2. Debian and Ubuntu have both in slurm-wlm-basic-plugins.");
    }

    /** The kinds of PMI that Slurm's plugins offer; empty if they are not where they use to be. */
    private static List<String> plugins() {
        Set<String> kinds = new TreeSet<>();
        for (Path root : LIBRARY_FOLDERS) {
            for (Path folder : folders(root)) {
                for (Path sub : folders(folder)) {
                    addPlugins(sub, kinds);
                }
                addPlugins(folder, kinds);
            }
        }
        return List.copyOf(kinds);
    }

    private static List<Path> folders(Path folder) {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.filter(Files::isDirectory).toList();
        } catch (IOException unreadable) {
            return List.of();
        }
    }

    private static void addPlugins(Path folder, Set<String> kinds) {
        if (!String.valueOf(folder.getFileName()).startsWith("slurm")) {
            return;
        }
        List<String> names = new ArrayList<>();
        try (Stream<Path> entries = Files.list(folder)) {
            entries.map(file -> String.valueOf(file.getFileName())).forEach(names::add);
        } catch (IOException unreadable) {
            return;
        }
        for (String name : names) {
            if (name.startsWith("mpi_") && name.endsWith(".so")) {
                kinds.add(name.substring("mpi_".length(), name.length() - ".so".length()));
            }
        }
    }

    private static Optional<Path> find(String program) {
        return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, program))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
