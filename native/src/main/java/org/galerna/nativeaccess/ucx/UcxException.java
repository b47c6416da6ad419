package org.galerna.nativeaccess.ucx;

import java.io.IOException;

/** A call of UCX that has failed. The message names the call and UCX's reason. */
public final class UcxException extends IOException {
    private static final long serialVersionUID = 1L;

    /** That a call has failed, for a reason in UCX's words. */
    UcxException(String call, String reason) {
        super("UCX: " + call + " has failed: " + reason);
    }
}
