package org.galerna.bench.peers;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A C implementation of MPI on this machine that programs can be compiled for.
 *
 * @param compiler its {@code mpicc}
 * @param launcher its {@code mpiexec}
 */
record MpiInstallation(Path compiler, Path launcher) {
    private static final Pattern RELEASE = Pattern.compile("\\b\\d+\\.\\d+(?:\\.\\d+)*\\w*");

    /** What compilers and launchers have answered to this process: the contenders of one implementation all ask. */
    private static final Map<Path, Boolean> COMPILES = new ConcurrentHashMap<>();

    private static final Map<Path, String> VERSIONS = new ConcurrentHashMap<>();

    /**
     * Looks for a pair of programs in one folder.
     *
     * @param suffix what Debian appends to the programs' names where several implementations are installed
     * @param marks words that only this implementation's launcher says when it is asked for its version
     * @param folders where to look, in this order
     */
    static Optional<MpiInstallation> find(String suffix, List<String> marks, List<Path> folders) {
        return folders.stream()
                .filter(Files::isDirectory)
                .map(MpiInstallation::real)
                .flatMap(folder -> List.of("." + suffix, "").stream()
                        .map(end ->
                                new MpiInstallation(folder.resolve("mpicc" + end), folder.resolve("mpiexec" + end))))
                .filter(candidate -> Files.isExecutable(candidate.compiler) && Files.isExecutable(candidate.launcher))
                .filter(candidate -> marks.stream().anyMatch(candidate.version()::contains))
                .filter(MpiInstallation::compiles)
                .findFirst();
    }

    /** Folders of the search path of commands. */
    static List<Path> searchPath() {
        return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .filter(folder -> !folder.isEmpty())
                .map(Path::of)
                .toList();
    }

    /** Open MPI takes the folder above its launcher's for its own, and does not start from a link such as "/bin". */
    private static Path real(Path folder) {
        try {
            return folder.toRealPath();
        } catch (IOException unreadable) {
            return folder;
        }
    }

    /** Whether the compiler finds the header, which distributions have in a package of its own. */
    private boolean compiles() {
        Boolean known = COMPILES.get(compiler);
        if (known != null) {
            return known;
        }
        try {
            Process process = new ProcessBuilder(
                            compiler.toString(), "-fsyntax-only", "-include", "mpi.h", "-xc", "/dev/null")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            boolean compiles = process.waitFor() == 0;
            COMPILES.put(compiler, compiles);
            return compiles;
        } catch (IOException broken) {
            return false;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Such as 4.1.4: the first number of this form in what the launcher says of its version; empty if there is none. */
    String release() {
        Matcher number = RELEASE.matcher(version());
        return number.find() ? number.group() : "";
    }

    private String version() {
        return VERSIONS.computeIfAbsent(launcher, MpiInstallation::version);
    }

    private static String version(Path launcher) {
        try {
            Process process = new ProcessBuilder(launcher.toString(), "--version")
                    .redirectErrorStream(true)
                    .start();
            process.getOutputStream().close();
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException broken) {
            // what cannot be started is none
            return "";
        }
    }
}
