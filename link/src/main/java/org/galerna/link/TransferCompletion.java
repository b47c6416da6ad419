package org.galerna.link;

import org.jspecify.annotations.Nullable;

/** Told when a transfer of {@link Rma} is over. */
@FunctionalInterface
public interface TransferCompletion {
    /**
     * The transfer has ended; called once.
     *
     * @param failure why it failed; null if it has not
     */
    void completed(@Nullable CommunicationException failure);
}
