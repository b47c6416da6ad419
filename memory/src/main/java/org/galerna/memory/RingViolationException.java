package org.galerna.memory;

/** The other side of a ring in shared memory has stored an index that cannot be: it is defective, or hostile. */
public final class RingViolationException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    public RingViolationException(String message) {
        super(message);
    }
}
