package org.galerna.messaging.flow;

/** A message that may have the {@link Advance} of its connection. */
public interface AdvanceHolder {
    /** Lets another message go beyond the window. By the thread that handles this one; idempotent. */
    void giveUpAdvance();
}
