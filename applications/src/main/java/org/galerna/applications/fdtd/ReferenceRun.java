package org.galerna.applications.fdtd;

import java.nio.file.Path;
import org.galerna.applications.Progress;

/**
 * A whole simulation by the sequential solver.
 *
 * @param solver with the field at the end
 * @param seconds time of all steps
 */
public record ReferenceRun(ReferenceSolver solver, double seconds) {
    private static final int WARM_UP_SIZE = 256;

    /**
     * Runs; the energies go to a file of the same format as those of {@link Fdtd}.
     *
     * @param warmUpSeconds how long another field is simulated before, so that what is measured is compiled
     */
    public static ReferenceRun run(Simulation simulation, Path energyFile, Progress.Mode mode, double warmUpSeconds) {
        Parameters parameters = simulation.parameters();
        warmUp(parameters, warmUpSeconds);
        ReferenceSolver solver = new ReferenceSolver(simulation.obstacles(), parameters.courant(), parameters.source());
        double[] pulses = parameters.pulses();
        try (EnergyLog log = new EnergyLog(energyFile, parameters);
                Progress progress = Progress.start(mode, "sequential", parameters.steps())) {
            long start = System.nanoTime();
            for (int step = 0; step < parameters.steps(); step++) {
                if (step % parameters.energyInterval() == 0) {
                    log.add(step, solver.stepMeasuringEnergy(pulses[step]));
                } else {
                    solver.step(pulses[step]);
                }
                progress.update(step + 1);
            }
            return new ReferenceRun(solver, 1e-9 * (System.nanoTime() - start));
        }
    }

    /** Another field is small, so its source is in the middle, wherever that of the simulation is. */
    private static void warmUp(Parameters parameters, double seconds) {
        long start = System.nanoTime();
        Source source = new Source(
                new Tile(WARM_UP_SIZE / 2, WARM_UP_SIZE / 2, 1, 1),
                parameters.source().kind(),
                parameters.source().wavelet());
        ReferenceSolver throwAway =
                new ReferenceSolver(Obstacles.walls(WARM_UP_SIZE, WARM_UP_SIZE), parameters.courant(), source);
        while (1e-9 * (System.nanoTime() - start) < seconds) {
            throwAway.step(1.0);
            double unused = throwAway.stepMeasuringEnergy(-1.0);
        }
    }
}
