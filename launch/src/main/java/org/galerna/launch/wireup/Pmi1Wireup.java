package org.galerna.launch.wireup;

import java.util.Map;
import java.util.Optional;
import org.galerna.link.Wireup;
import org.galerna.link.wireup.WireupProvider;

/**
 * Finds the PMI server of MPICH's {@code mpiexec}: {@code PMI_FD}, {@code PMI_RANK} and {@code PMI_SIZE}, or with
 * {@code -pmi-port} {@code PMI_PORT} and {@code PMI_ID}.
 */
public final class Pmi1Wireup implements WireupProvider {
    static final String RANK = "PMI_RANK";
    static final String SIZE = "PMI_SIZE";

    private static final String STARTER = "an mpiexec with PMI";

    /** For {@link java.util.ServiceLoader}. */
    public Pmi1Wireup() {}

    @Override
    public String name() {
        return "PMI-1";
    }

    @Override
    public int precedence() {
        return Precedence.PMI_1;
    }

    @Override
    public Optional<Wireup> detect(Map<String, String> environment) {
        if (PmiConnection.isInherited(environment)) {
            return Optional.of(ManagedWireup.through(
                    STARTER,
                    () -> Pmi1Manager.inherited(
                            PmiConnection.inherited(environment),
                            Variables.number(environment, RANK),
                            Variables.number(environment, SIZE))));
        }
        String address = environment.get(PmiConnection.PORT);
        String id = environment.get(PmiConnection.ID);
        return address == null || id == null
                ? Optional.empty()
                : Optional.of(
                        ManagedWireup.through(STARTER, () -> Pmi1Manager.atPort(PmiConnection.toPort(address), id)));
    }
}
