package org.galerna.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.galerna.launch.GalernaJvm;
import org.galerna.launch.process.AotCache;
import org.galerna.link.process.TemporaryFolder;

/**
 * Starts the jobs that people start: a class on threads and on processes, and a source file. The start script lets this run
 * once after a build, and the virtual machine leaves what it has learnt in an ahead-of-time cache (JEP 514), with which the
 * command {@code galerna} starts sooner. The jobs make the caches of the ranks, and so does this class where no job needs one.
 */
public final class Rehearsal {
    private static final String SOURCE = """
            import mpi.MPI;

            void main(String[] arguments) {
                MPI.Init(arguments);
                System.out.println("rank " + MPI.COMM_WORLD.Rank() + " of " + MPI.COMM_WORLD.Size());
                MPI.Finalize();
            }
            """;

    private Rehearsal() {}

    /**
     * Runs the jobs; the status is that of the first one that has failed.
     *
     * @param arguments the cache of a launcher whose ranks are its threads, which is to be made here; and the file for its options
     *     with 1, 2, ... ranks, a line each, as {@code GalernaJvm.optionsOfThreadsAlone} has them: the last line is for all greater
     *     numbers, too
     */
    public static void main(String[] arguments) throws IOException {
        int status;
        try (TemporaryFolder folder = TemporaryFolder.make("rehearsal")) {
            Path source = Files.writeString(folder.path().resolve("Rehearsal.java"), SOURCE);
            status = run(source.toString());
        }
        if (status == 0) {
            status = run(AotCache.REHEARSAL);
        }
        if (status == 0) {
            if (AotCache.makeForLauncher(Path.of(arguments[0]))) {
                writeOptions(Path.of(arguments[1]));
            }
            AotCache.makeForCrowdedRanks();
            status = AotCache.rehearseFailure()
                    ? run("--procs", AotCache.REHEARSAL)
                    : 1; // the command ends this process
        }
        System.exit(status);
    }

    private static void writeOptions(Path file) throws IOException {
        List<String> lines = IntStream.rangeClosed(1, Runtime.getRuntime().availableProcessors())
                .mapToObj(GalernaJvm::optionsOfThreadsAlone)
                .map(options -> Stream.concat(options.stream(), GalernaJvm.AOT_USE.stream())
                        .collect(Collectors.joining(" ")))
                .toList();
        Files.write(file, lines);
    }

    /** The last job's command line is one that the library for command lines reads. */
    private static int run(String... job) {
        List<String> words = new ArrayList<>(List.of("run"));
        words.addAll(job.length == 1 ? List.of("-n", "2") : List.of("--ranks=2"));
        words.addAll(List.of(job));
        return Main.execute(words.toArray(String[]::new));
    }
}
