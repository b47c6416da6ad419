package org.galerna.launch.wireup;

import java.util.Map;
import java.util.Optional;
import org.galerna.link.Wireup;
import org.galerna.link.wireup.WireupProvider;

/** Finds the PMIx server of Open MPI's {@code mpirun}, of PRRTE, or of Slurm's {@code srun --mpi=pmix}. */
public final class PmixWireup implements WireupProvider {
    /** For {@link java.util.ServiceLoader}. */
    public PmixWireup() {}

    @Override
    public String name() {
        return "PMIx";
    }

    @Override
    public int precedence() {
        return Precedence.PMIX;
    }

    @Override
    public Optional<Wireup> detect(Map<String, String> environment) {
        if (!environment.containsKey(PmixManager.RANK) || !environment.containsKey(PmixManager.NAMESPACE)) {
            return Optional.empty();
        }
        return Optional.of(ManagedWireup.through("a job manager with PMIx", () -> PmixManager.open(environment)));
    }
}
