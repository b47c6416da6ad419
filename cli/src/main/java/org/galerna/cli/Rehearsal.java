package org.galerna.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.galerna.launch.process.AotCache;

/**
 * Starts the jobs that people start: a class on threads and on processes, and a source file. The start script lets this run
 * once after a build, and the virtual machine leaves what it has learnt in an ahead-of-time cache (JEP 514), with which the
 * command {@code galerna} starts sooner. The jobs make the caches of the ranks.
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

    /** Runs the jobs; the status is that of the first one that has failed. */
    public static void main(String[] arguments) throws IOException {
        Path folder = Files.createTempDirectory("galerna-rehearsal");
        Path source = folder.resolve("Rehearsal.java");
        int status;
        try {
            Files.writeString(source, SOURCE);
            status = run(source.toString());
        } finally {
            Files.deleteIfExists(source);
            Files.deleteIfExists(folder);
        }
        if (status == 0) {
            status = run(AotCache.REHEARSAL);
        }
        if (status == 0) {
            status = run("--procs", AotCache.REHEARSAL); // ends this process
        }
        System.exit(status);
    }

    private static int run(String... job) {
        List<String> words = new ArrayList<>(List.of("run", "-n", "2"));
        words.addAll(List.of(job));
        return Main.execute(words.toArray(String[]::new));
    }
}
