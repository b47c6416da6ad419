package org.galerna.bench.peers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.galerna.bench.suite.ContenderException;
import org.galerna.bench.suite.ProgramCommand;
import org.galerna.launch.GalernaPath;

/** The program of the first seconds as a user runs it: compiled by {@code javac}, and started by {@code galerna run}. */
public final class GalernaProgram {
    private static final String PROGRAM = "StartProgram";

    private static final String MAIN = "org.galerna.cli.Main";

    private final Path classes;

    /**
     * Compiles the program.
     *
     * @throws ContenderException if that fails
     */
    public GalernaProgram() {
        try {
            classes = PeerFiles.cache().resolve("galerna");
            PeerFiles.compile(PROGRAM, GalernaPath.classPath(), classes);
        } catch (IOException failed) {
            throw new ContenderException(
                    "the program of the first seconds cannot be made: " + failed.getMessage(), failed);
        }
    }

    /**
     * The command that runs it.
     *
     * @param options of {@code galerna run}
     * @param arguments of the program
     */
    public ProgramCommand command(int ranks, List<String> options, List<String> arguments) {
        List<String> command = new ArrayList<>(launcher());
        command.addAll(List.of("run", "-n", Integer.toString(ranks), "--deadlock-timeout", "0"));
        command.addAll(options);
        command.addAll(List.of("-cp", classes.toString(), PROGRAM));
        command.addAll(arguments);
        return new ProgramCommand(command, Map.of());
    }

    /** The start script of a checkout, which the jar lies in; where there is none, the jar itself. */
    private static List<String> launcher() {
        Path jar = Path.of(GalernaPath.classPath());
        Path script = jar.resolveSibling("../../galerna").normalize();
        if (Files.isExecutable(script) && Files.isRegularFile(script)) {
            return List.of(script.toString());
        }
        List<String> java = new ArrayList<>(List.of(JavaPeer.java(), "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        java.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-cp", GalernaPath.classPath(), MAIN));
        return java;
    }
}
