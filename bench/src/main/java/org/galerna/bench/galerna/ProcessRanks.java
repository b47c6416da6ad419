package org.galerna.bench.galerna;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import mpi.MPI;
import org.galerna.bench.build.GalernaBuild;
import org.galerna.bench.suite.ContenderServer;
import org.galerna.bench.suite.CoreOfARank;
import org.galerna.link.wireup.FolderWireup;
import org.galerna.link.wireup.Wireups;

/**
 * Package {@code mpi} with each rank a process: {@code ProcessRanks <rank> <ranks> <device> <folder of the pipes>}. The
 * process of rank 0 starts the others.
 */
public final class ProcessRanks {
    private ProcessRanks() {}

    /** The command that runs a rank of a build, without the folder. */
    static List<String> command(GalernaBuild build, int rank, int ranks, String device) {
        List<String> command = build.java(List.of("-Dgalerna.device=" + device));
        command.addAll(List.of(ProcessRanks.class.getName(), Integer.toString(rank), Integer.toString(ranks), device));
        return command;
    }

    /** Runs one rank. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        int rank = Integer.parseInt(arguments[0]);
        int ranks = Integer.parseInt(arguments[1]);
        Path folder = Path.of(arguments[3]);
        List<Process> others = new ArrayList<>();
        for (int other = 1; rank == 0 && other < ranks; other++) {
            List<String> command = command(GalernaBuild.own(), other, ranks, arguments[2]);
            command.add(folder.toString());
            others.add(new ProcessBuilder(command).inheritIO().start());
        }
        try {
            CoreOfARank.bind(rank, ranks);
            serve(new FolderWireup(folder, rank, ranks), folder);
        } catch (Throwable failure) {
            // the other ranks would wait for this one for ever
            System.err.println("rank " + rank + ": " + failure);
            Runtime.getRuntime().halt(1);
        }
        for (Process other : others) {
            other.waitFor();
        }
    }

    private static void serve(FolderWireup wireup, Path folder) throws IOException {
        Wireups.bind(ProcessRanks.class.getClassLoader(), wireup);
        MPI.Init(new String[0]);
        ContenderServer.serve(folder, wireup.rank(), new MpiBenchmarks(new MpiMessenger(0), 1));
        MPI.Finalize();
    }
}
