package org.galerna.nativeaccess.ucx;

import java.io.IOException;
import org.galerna.nativeaccess.memory.LockedMemoryLimit;

/** A call of UCX that has failed. The message names the call and UCX's reason. */
public final class UcxException extends IOException {
    private static final long serialVersionUID = 1L;

    /** That a call has failed, for a reason in UCX's words. */
    UcxException(String call, String reason, int status) {
        super("UCX: " + call + " has failed: " + reason + hint(status));
    }

    /** That UCX is not to be called, for a reason in one sentence. */
    UcxException(String reason) {
        super(reason);
    }

    private static String hint(int status) {
        return status == UcxLayout.NO_MEMORY || status == UcxLayout.INPUT_OUTPUT ? LockedMemoryLimit.hint() : "";
    }
}
