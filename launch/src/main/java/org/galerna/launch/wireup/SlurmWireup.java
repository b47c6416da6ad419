package org.galerna.launch.wireup;

import java.util.Map;
import java.util.Optional;
import org.galerna.link.CommunicationException;
import org.galerna.link.Wireup;
import org.galerna.link.wireup.WireupProvider;

/**
 * Refuses tasks of a step that Slurm has started without any PMI ({@code --mpi=none}). The environment tells such tasks who they
 * are and where the others run, but gives them neither a secret in common nor a place to leave one: whoever can reach a port of
 * the first node could join the job. To run as many jobs of one rank each would be worse than to say so.
 */
public final class SlurmWireup implements WireupProvider {
    /** For {@link java.util.ServiceLoader}. */
    public SlurmWireup() {}

    @Override
    public String name() {
        return "Slurm";
    }

    @Override
    public int precedence() {
        return Precedence.SLURM;
    }

    @Override
    public Optional<Wireup> detect(Map<String, String> environment) {
        String step = environment.get("SLURM_STEP_ID");
        String task = environment.get("SLURM_PROCID");
        String tasks = environment.get("SLURM_STEP_NUM_TASKS");
        // a batch script and the shell of salloc are no tasks of a step
        if (step == null || task == null || tasks == null || tasks.equals("1")) {
            return Optional.empty();
        }
        throw new CommunicationException("this process is task " + task + " of " + tasks + " of Slurm's step "
                + environment.getOrDefault("SLURM_JOB_ID", "?") + "." + step + ", but with --mpi=none"
                + " its tasks cannot meet: use srun --mpi=pmix or srun --mpi=pmi2 (srun --mpi=list says what this"
                + " cluster has); if each task is to be a job of its own, -Dgalerna.wireup=none");
    }
}
