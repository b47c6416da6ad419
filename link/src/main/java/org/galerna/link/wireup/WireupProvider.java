package org.galerna.link.wireup;

import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import org.galerna.link.CommunicationException;
import org.galerna.link.Wireup;

/** A kind of launcher that starts ranks as processes, found by {@link ServiceLoader}. */
public interface WireupProvider {
    /** Name of the launcher's protocol, e.g. {@code "PMI-1"}. */
    String name();

    /**
     * Place in the order in which providers are asked, the lowest first: launchers run inside others (an
     * {@code mpiexec} inside an allocation of Slurm, say), and the innermost one counts.
     */
    int precedence();

    /**
     * Joins the job that the environment of this process names.
     *
     * @param environment the environment variables
     * @return empty if this process has not been started by this kind of launcher
     * @throws CommunicationException if it has been, but the launcher cannot be reached
     */
    Optional<Wireup> detect(Map<String, String> environment);
}
