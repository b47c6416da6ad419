package org.galerna.nativeaccess.ofi;

import java.io.IOException;

/** A call of libfabric that has failed. The message names the call and libfabric's reason. */
public final class OfiException extends IOException {
    private static final long serialVersionUID = 1L;

    /** That something has failed, for a reason in libfabric's words. */
    public OfiException(String what, String reason) {
        super("libfabric: " + what + " has failed: " + reason);
    }
}
