package org.galerna.launch.wireup;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.galerna.link.CommunicationException;
import org.galerna.link.Wireup;
import org.galerna.link.wireup.WireupProvider;

/**
 * Finds what the launchers of Cray systems set: PALS' {@code mpiexec}, and Slurm's {@code srun --mpi=cray_shasta}. They tell each
 * process who it is ({@code PALS_RANKID}), and how many there are in a file ({@code PALS_APINFO}). What else they offer is for the
 * vendor's libraries alone; so ranks meet by themselves, through a file that all hosts see.
 */
public final class PalsWireup implements WireupProvider {
    /** For {@link java.util.ServiceLoader}. */
    public PalsWireup() {}

    @Override
    public String name() {
        return "PALS";
    }

    @Override
    public int precedence() {
        return Precedence.PALS;
    }

    @Override
    public Optional<Wireup> detect(Map<String, String> environment) {
        if (!environment.containsKey(PalsManager.JOB) || !environment.containsKey(PalsManager.RANK)) {
            return Optional.empty();
        }
        try {
            // a step of one process is a program that was started plainly
            if (PalsManager.size(environment) == 1) {
                return Optional.empty();
            }
        } catch (IOException unreadable) {
            throw new CommunicationException(
                    "PALS has started this process, but not said of how many: " + unreadable.getMessage(), unreadable);
        }
        return Optional.of(ManagedWireup.through("PALS", () -> PalsManager.join(environment)));
    }
}
