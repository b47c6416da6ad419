package org.galerna.bench.peers;

import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.galerna.bench.suite.Contender;
import org.galerna.bench.suite.ContenderException;
import org.galerna.bench.suite.ProcessContender;
import org.galerna.launch.GalernaPath;

/**
 * Open MPI's own Java bindings, which call its C library through JNI. An Open MPI up to 5.0 that was built with {@code
 * --enable-mpi-java} has them. Debian's has the native part without the classes, which may lie anywhere.
 */
public final class OpenMpiJava extends JavaPeer {
    /** Variable with the path of the archive with the classes, where it does not lie beside Open MPI's libraries. */
    static final String ARCHIVE = "OPENMPI_JAR";

    private static final String PROGRAM = "OpenMpiJavaPeer.java";

    private final Optional<MpiInstallation> installation;
    private final Optional<Path> archive;

    /** As it is found on the search path of commands, and where {@value #ARCHIVE} says. */
    public OpenMpiJava() {
        this(MpiInstallation.searchPath(), System.getenv().getOrDefault(ARCHIVE, ""));
    }

    OpenMpiJava(List<Path> folders, String archive) {
        super("openmpi-java");
        this.installation = OpenMpi.find(folders);
        this.archive = archive.isEmpty()
                ? installation.stream()
                        .flatMap(found -> libraries(found).stream())
                        .map(folder -> folder.resolve("mpi.jar"))
                        .filter(Files::exists)
                        .findFirst()
                : Optional.of(Path.of(archive));
    }

    /** Folders where Open MPI, or a distribution, puts libraries: beside the folder of its programs. */
    private static List<Path> libraries(MpiInstallation found) {
        Path library = found.launcher().resolveSibling("../lib").normalize();
        List<Path> folders = new ArrayList<>(List.of(library));
        try (DirectoryStream<Path> architectures = Files.newDirectoryStream(library, "*-linux-gnu")) {
            for (Path architecture : architectures) {
                folders.addAll(List.of(architecture.resolve("openmpi/lib"), architecture));
            }
        } catch (IOException none) {
            return folders;
        }
        return folders;
    }

    @Override
    public String version() {
        return installation.map(MpiInstallation::release).orElse("");
    }

    @Override
    public Optional<String> unavailable() {
        if (installation.isEmpty()) {
            return Optional.of(OpenMpi.MISSING);
        }
        if (archive.isEmpty()) {
            return Optional.of(
                    "its classes, mpi.jar, are not beside its libraries: build Open MPI with --enable-mpi-java, or set "
                            + ARCHIVE + " to the path of the archive");
        }
        return archive.filter(Files::isRegularFile).isPresent()
                ? Optional.empty()
                : Optional.of(ARCHIVE + " is " + archive.get() + ", where no file is");
    }

    @Override
    Contender start() {
        if (unavailable().isPresent()) {
            throw new ContenderException(
                    name() + " cannot be started: " + unavailable().get());
        }
        MpiInstallation found = installation.orElseThrow();
        Path classes = archive.orElseThrow();
        try {
            String libraries = String.join(
                    File.pathSeparator,
                    Stream.concat(Stream.of(classes.toAbsolutePath().getParent()), libraries(found).stream())
                            .map(Path::toString)
                            .toList());
            // the process as a whole has all cores, for its compilers; the thread of the rank binds itself
            List<String> command = new ArrayList<>(List.of(
                    found.launcher().toString(),
                    "--allow-run-as-root",
                    "--oversubscribe",
                    "--bind-to",
                    "none",
                    "-n",
                    "2"));
            command.addAll(List.of(
                    java(),
                    "--enable-native-access=ALL-UNNAMED",
                    "-Djava.library.path=" + libraries,
                    "-cp",
                    classes + File.pathSeparator + GalernaPath.classPath(),
                    PeerFiles.extract(PROGRAM, PeerFiles.cache()).toString()));
            return ProcessContender.start(name(), "", 2, command, Map.of());
        } catch (IOException failed) {
            throw new ContenderException(name() + " cannot be started: " + failed.getMessage(), failed);
        }
    }
}
