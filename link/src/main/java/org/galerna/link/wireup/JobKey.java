package org.galerna.link.wireup;

import org.galerna.link.CommunicationException;
import org.galerna.link.Wireup;
import org.galerna.memory.SystemRandom;

/**
 * The secret of a job: random bytes that only its ranks know, by which connections prove that they belong to it. Made by
 * rank 0 and carried by the {@link Wireup} alone.
 */
public final class JobKey {
    /** Length of the key, in bytes. */
    public static final int BYTES = 32;

    private static final String NAME = "galerna.key";

    private JobKey() {}

    /** Makes the key if this is rank 0; to be called by every rank before the fence after which {@link #of} is. */
    public static void publish(Wireup wireup) {
        if (wireup.rank() == 0) {
            wireup.put(NAME, SystemRandom.bytes(BYTES));
        }
    }

    /**
     * The key of the job; to be called after the fence that follows {@link #publish}.
     *
     * @throws CommunicationException if rank 0 has not published one, or something else than one
     */
    public static byte[] of(Wireup wireup) {
        byte[] key = wireup.get(0, NAME);
        if (key.length != BYTES) {
            throw new CommunicationException(
                    "the key of " + wireup.job() + " has " + key.length + " bytes, not " + BYTES);
        }
        return key;
    }
}
