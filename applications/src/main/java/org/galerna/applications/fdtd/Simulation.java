package org.galerna.applications.fdtd;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import mpi.Intracomm;
import mpi.MPI;

/**
 * What all ranks know before the first step.
 *
 * @param name what messages call the parameter file
 * @param parameters what to simulate
 * @param obstacles where the conductors are
 */
public record Simulation(String name, Parameters parameters, Obstacles obstacles) {
    private static final int ROOT = 0;

    /**
     * Reads a parameter file and the mask it names.
     *
     * @throws ParameterException if one of them is missing or wrong
     */
    public static Simulation read(Path file) {
        return create(file, ParameterFile.read(file));
    }

    private static Simulation create(Path file, String text) {
        Parameters parameters = Parameters.parse(file.toString(), text);
        Obstacles obstacles = parameters
                .maskFile()
                .map(mask -> MaskReader.read(
                        file.resolveSibling(mask), parameters.width(), parameters.height(), parameters.maskThreshold()))
                .orElseGet(() -> Obstacles.walls(parameters.width(), parameters.height()));
        parameters.checkSource(file.toString(), obstacles);
        return new Simulation(file.toString(), parameters, obstacles);
    }

    /**
     * Reads on rank 0 and tells the others, which need not see the file. Every rank must call it.
     *
     * @throws ParameterException on rank 0 if the simulation cannot be set up for this number of ranks, and on the
     *     others, too
     */
    static Simulation readAndShare(Intracomm communicator, Path file) {
        if (communicator.Rank() == ROOT) {
            String text;
            Simulation simulation;
            try {
                text = ParameterFile.read(file);
                simulation = create(file, text);
                simulation.decompose(communicator.Size());
            } catch (ParameterException failure) {
                communicator.Bcast(new int[] {-1}, 0, 1, MPI.INT, ROOT);
                throw failure;
            }
            share(communicator, text, simulation.obstacles);
            return simulation;
        }
        return receive(communicator, file.toString());
    }

    private static void share(Intracomm communicator, String text, Obstacles obstacles) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        long[] words = obstacles.toWords();
        communicator.Bcast(new int[] {bytes.length}, 0, 1, MPI.INT, ROOT);
        communicator.Bcast(bytes, 0, bytes.length, MPI.BYTE, ROOT);
        communicator.Bcast(words, 0, words.length, MPI.LONG, ROOT);
    }

    private static Simulation receive(Intracomm communicator, String name) {
        int[] length = new int[1];
        communicator.Bcast(length, 0, 1, MPI.INT, ROOT);
        if (length[0] < 0) {
            throw new ParameterException("rank " + ROOT + " could not set up the simulation of " + name);
        }
        byte[] bytes = new byte[length[0]];
        communicator.Bcast(bytes, 0, bytes.length, MPI.BYTE, ROOT);
        Parameters parameters = Parameters.parse(name, new String(bytes, StandardCharsets.UTF_8));
        long[] words = new long[Obstacles.wordCount(parameters.width(), parameters.height())];
        communicator.Bcast(words, 0, words.length, MPI.LONG, ROOT);
        return new Simulation(name, parameters, Obstacles.ofWords(parameters.width(), parameters.height(), words));
    }

    /** The same with another number of time steps. */
    public Simulation withSteps(int number) {
        return new Simulation(name, parameters.withSteps(number), obstacles);
    }

    /**
     * The tiles of the ranks.
     *
     * @throws ParameterException if the grid is too small for so many
     */
    Decomposition decompose(int ranks) {
        try {
            return Decomposition.of(parameters.width(), parameters.height(), ranks);
        } catch (IllegalArgumentException tooSmall) {
            throw new ParameterException(name + ": " + tooSmall.getMessage());
        }
    }
}
