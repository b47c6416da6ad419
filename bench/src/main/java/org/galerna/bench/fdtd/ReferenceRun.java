package org.galerna.bench.fdtd;

import java.nio.file.Path;
import org.galerna.bench.Progress;

/**
 * A whole simulation by the sequential solver.
 *
 * @param solver with the field at the end
 * @param seconds time of all steps
 */
public record ReferenceRun(ReferenceSolver solver, double seconds) {
    /** Runs; the energies go to a file of the same format as those of {@link Fdtd}. */
    public static ReferenceRun run(Simulation simulation, Path energyFile, Progress.Mode mode) {
        Parameters parameters = simulation.parameters();
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
}
