package org.galerna.launch.wireup;

import java.util.Map;
import java.util.Optional;
import org.galerna.link.Wireup;
import org.galerna.link.wireup.WireupProvider;

/** Finds the PMI server of Slurm's {@code srun --mpi=pmi2}: {@code PMI_FD}, {@code PMI_RANK} and {@code PMI_JOBID}. */
public final class Pmi2Wireup implements WireupProvider {
    /** Environment: Slurm's name for the job. */
    static final String JOB = "PMI_JOBID";

    /** Environment: Hydra runs inside Slurm; what Slurm has set before is not about this process. */
    static final String HYDRA = "HYDI_CONTROL_FD";

    /** For {@link java.util.ServiceLoader}. */
    public Pmi2Wireup() {}

    @Override
    public String name() {
        return "PMI-2";
    }

    @Override
    public int precedence() {
        return Precedence.PMI_2;
    }

    @Override
    public Optional<Wireup> detect(Map<String, String> environment) {
        String job = environment.get(JOB);
        if (job == null || environment.containsKey(HYDRA) || !PmiConnection.isInherited(environment)) {
            return Optional.empty();
        }
        return Optional.of(ManagedWireup.through(
                "srun --mpi=pmi2",
                () -> new Pmi2Manager(
                        PmiConnection.inherited(environment), job, Variables.number(environment, Pmi1Wireup.RANK))));
    }
}
