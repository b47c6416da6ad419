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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.galerna.bench.suite.Contender;
import org.galerna.bench.suite.ContenderException;
import org.galerna.bench.suite.ProcessContender;
import org.galerna.bench.suite.ProgramCommand;
import org.galerna.launch.GalernaPath;

/**
 * MPJ Express in its multicore configuration: two ranks that are threads of one virtual machine, as Galerna's are. It is found
 * by {@code MPJ_HOME}, or where Debian puts it.
 */
public final class MpjExpress extends JavaPeer {
    private static final String PROGRAM = "MpjExpressPeer";
    private static final String START_PROGRAM = "StartProgram";
    private static final String HOME = "MPJ_HOME";
    private static final Path DEBIAN = Path.of("/usr/share/mpj");

    /** What all ranks share; a rank loads the rest for itself. */
    private static final List<String> SHARED = List.of("smpdev", "xdev", "mpjbuf", "loader2", "starter", "mpiExp");

    private static final List<String> OWN = List.of("mpi", "mpjdev");
    private static final Pattern VERSIONED = Pattern.compile("mpj-(\\d[\\w.]*)\\.jar");

    private final Path home;

    /** Looks for it. */
    public MpjExpress() {
        this(Path.of(System.getenv().getOrDefault(HOME, DEBIAN.toString())));
    }

    MpjExpress(Path home) {
        super("mpjexpress");
        this.home = home;
    }

    @Override
    public Optional<String> unavailable() {
        return Files.isRegularFile(library("starter"))
                ? Optional.empty()
                : Optional.of(library("starter") + " is missing: apt-get install libmpj-java, or set " + HOME
                        + " to the folder of MPJ Express");
    }

    @Override
    public String version() {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(home.resolve("lib"), "mpj-*.jar")) {
            for (Path file : files) {
                Matcher versioned = VERSIONED.matcher(file.getFileName().toString());
                if (versioned.matches()) {
                    return versioned.group(1);
                }
            }
        } catch (IOException none) {
            return "";
        }
        return "";
    }

    private Path library(String name) {
        return home.resolve("lib").resolve(name + ".jar");
    }

    private String libraries(List<String> names) {
        return names.stream().map(name -> library(name).toString()).collect(Collectors.joining(File.pathSeparator));
    }

    /** What it logs with: in its own folder, or a package of Debian's. */
    private String logging() {
        return Stream.of(home.resolve("lib"), Path.of("/usr/share/java"))
                .flatMap(
                        folder -> Stream.of("log4j-1.2.11.jar", "log4j-1.2.jar").map(folder::resolve))
                .filter(Files::isRegularFile)
                .map(file -> File.pathSeparator + file)
                .findFirst()
                .orElse("");
    }

    @Override
    Contender start() {
        ProgramCommand command = command(PROGRAM, 2, List.of());
        return ProcessContender.start(name(), "", 2, command.words(), command.environment());
    }

    @Override
    public boolean runsPrograms() {
        return true;
    }

    @Override
    public ProgramCommand startProgram(int ranks, List<String> arguments) {
        return command(START_PROGRAM, ranks, arguments);
    }

    private ProgramCommand command(String program, int ranks, List<String> arguments) {
        try {
            Path classes = PeerFiles.cache().resolve(name());
            PeerFiles.compile(program, classPath() + File.pathSeparator + libraries(SHARED), classes);
            return command(classes, ranks, List.of("-XX:+UseParallelGC"), program, arguments);
        } catch (IOException failed) {
            throw new ContenderException(name() + " cannot be started: " + failed.getMessage(), failed);
        }
    }

    /**
     * How a program of Galerna's jar runs on ranks of MPJ Express, as it is. It has to be available.
     *
     * @param ranks how many
     * @param jvmOptions of the virtual machine that they share
     * @param program name of its class
     */
    public ProgramCommand program(int ranks, List<String> jvmOptions, String program, List<String> arguments) {
        try {
            return command(PeerFiles.cache(), ranks, jvmOptions, program, arguments);
        } catch (IOException failed) {
            throw new ContenderException(name() + " cannot be started: " + failed.getMessage(), failed);
        }
    }

    /** What a rank loads for itself: package {@code mpi} is that of MPJ Express. */
    private String classPath() {
        return libraries(OWN) + File.pathSeparator + GalernaPath.classPath();
    }

    private ProgramCommand command(
            Path folder, int ranks, List<String> jvmOptions, String program, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(java(), "--enable-native-access=ALL-UNNAMED"));
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", libraries(SHARED) + logging(), "runtime.starter.MulticoreStarter"));
        command.addAll(
                List.of(folder.toString(), Integer.toString(ranks), "smpdev", "useLocalLoader", classPath(), program));
        command.addAll(arguments);
        return new ProgramCommand(command, Map.of(HOME, home.toString()));
    }
}
