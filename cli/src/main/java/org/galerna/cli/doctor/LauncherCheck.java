package org.galerna.cli.doctor;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Programs that start ranks as processes, on the path. */
final class LauncherCheck {
    private LauncherCheck() {}

    static List<Finding> findings() {
        return List.of(
                look("mpiexec", "MPICH's and Open MPI's launcher"),
                look("mpirun", "MPICH's and Open MPI's launcher"),
                look("srun", "Slurm's launcher"),
                look("ssh", "jobs on several hosts without a launcher"));
    }

    private static Finding look(String program, String purpose) {
        return find(program)
                .map(path -> Finding.good(program, path.toString(), ""))
                .orElseGet(() -> Finding.less(program, "not on the path", "For " + purpose + "."));
    }

    private static Optional<Path> find(String program) {
        return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, program))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
