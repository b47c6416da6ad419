package org.galerna.bench.peers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.galerna.bench.suite.Contender;
import org.galerna.bench.suite.ContenderException;
import org.galerna.bench.suite.ContenderFactory;
import org.galerna.bench.suite.ProcessContender;
import org.galerna.bench.suite.ProgramCommand;
import org.galerna.link.process.TemporaryFolder;

/** An implementation of MPI in C, measured by a C program that its own compiler translates when it is asked for. */
abstract class MpiPeer implements ContenderFactory {
    private static final String PROGRAM = "mpi-peer";
    private static final String START_PROGRAM = "start-program";

    private final String name;
    private final String packages;
    private final Optional<MpiInstallation> installation;

    /**
     * @param name as users type it
     * @param packages Debian's packages of it
     * @param installation what was found of it
     */
    MpiPeer(String name, String packages, Optional<MpiInstallation> installation) {
        this.name = name;
        this.packages = packages;
        this.installation = installation;
    }

    /** Arguments of the launcher that give this number of ranks, apart from the number itself. */
    abstract List<String> launcherArguments(int ranks);

    /** Variables that the ranks get, besides those of this process. */
    Map<String, String> environment() {
        return Map.of();
    }

    /** Whether each rank can have a processor of its own. */
    static boolean processorForEach(int ranks) {
        return ranks <= Runtime.getRuntime().availableProcessors();
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public Optional<String> unavailable() {
        return installation.isPresent() ? Optional.empty() : Optional.of(missing(packages));
    }

    @Override
    public final String version() {
        return installation.map(MpiInstallation::release).orElse("");
    }

    static String missing(String packages) {
        return "its mpiexec, and an mpicc that finds mpi.h, are not on the PATH: apt-get install " + packages;
    }

    @Override
    public Contender start(int ranks) {
        return ProcessContender.start(name, "", ranks, command(PROGRAM, ranks), environment());
    }

    @Override
    public final boolean runsPrograms() {
        return true;
    }

    @Override
    public final ProgramCommand startProgram(int ranks, List<String> arguments) {
        List<String> command = command(START_PROGRAM, ranks);
        command.addAll(arguments);
        return new ProgramCommand(command, environment());
    }

    private List<String> command(String program, int ranks) {
        MpiInstallation found = installation.orElseThrow(() -> new ContenderException(
                name + " cannot be started: " + unavailable().orElse("")));
        Path compiled = compile(found, program);
        List<String> command = new ArrayList<>(List.of(found.launcher().toString()));
        command.addAll(launcherArguments(ranks));
        command.addAll(List.of("-n", Integer.toString(ranks), compiled.toString()));
        return command;
    }

    @Override
    public final boolean warmsUp() {
        return false;
    }

    /** Compiles anew each time, half a second: nobody has to notice that the MPI has been exchanged. */
    private Path compile(MpiInstallation found, String program) {
        try (TemporaryFolder workshop = PeerFiles.workshop(PeerFiles.cache())) {
            Path folder = workshop.path();
            Path source = PeerFiles.extract(program + ".c", folder);
            Path fresh = folder.resolve(program);
            PeerFiles.runTool(
                    "compiling the benchmark program for " + name,
                    folder,
                    List.of(
                            found.compiler().toString(),
                            "-std=c11",
                            "-O2",
                            "-w",
                            source.toString(),
                            "-o",
                            fresh.toString()));
            // Renamed into place: a run that has the old file open keeps it.
            return Files.move(
                    fresh,
                    PeerFiles.cache().resolve(program + '-' + name),
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException failed) {
            throw new ContenderException("no program for " + name + " can be made: " + failed.getMessage(), failed);
        }
    }
}
