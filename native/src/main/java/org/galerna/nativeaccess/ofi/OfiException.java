package org.galerna.nativeaccess.ofi;

import java.io.IOException;
import org.galerna.nativeaccess.memory.LockedMemoryLimit;

/** A call of libfabric that has failed. The message names the call and libfabric's reason. */
public final class OfiException extends IOException {
    private static final long serialVersionUID = 1L;

    private final int status;

    /** That something has failed, for a reason in libfabric's words. */
    public OfiException(String what, String reason) {
        this(what, reason, 0);
    }

    OfiException(String what, String reason, int status) {
        super("libfabric: " + what + " has failed: " + reason + hint(status));
        this.status = status;
    }

    /** What is said of memory that may be locked, beside a status; nothing unless it is about memory. */
    static String hint(int status) {
        return status == -OfiLayout.NO_MEMORY || status == -OfiLayout.NOT_PERMITTED ? LockedMemoryLimit.hint() : "";
    }

    /** Whether what it wants is somebody else's. */
    boolean isBusy() {
        return status == -OfiLayout.BUSY;
    }
}
