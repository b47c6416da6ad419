package org.galerna.nativeaccess.verbs;

import java.io.IOException;
import org.galerna.nativeaccess.memory.LockedMemoryLimit;

/** A verb that has failed. The message names the adapter, the verb and the system's reason. */
public final class VerbsException extends IOException {
    private static final long serialVersionUID = 1L;

    /** {@link #errno}: out of memory, or of what may be locked of it. */
    public static final int ENOMEM = 12;

    /** {@link #errno}: nothing there at the moment. */
    public static final int EAGAIN = 11;

    /** {@link #errno}: closed already. */
    public static final int EBADF = 9;

    static final int ENODEV = 19;
    static final int ENOSYS = 38;
    private static final int EPERM = 1;

    private final int errno;

    /** That something has failed, for a reason as in {@code errno(3)}. */
    public VerbsException(String what, int errno) {
        super(what + " has failed: " + NativeFunction.describe(errno) + hint(errno));
        this.errno = errno;
    }

    private static String hint(int errno) {
        return errno == ENOMEM || errno == EPERM ? LockedMemoryLimit.hint() : "";
    }

    /** The system's words for a number of a reason. */
    public static String describe(int errno) {
        return NativeFunction.describe(errno);
    }

    /** The system's number of the reason, as in {@code errno(3)}. */
    public int errno() {
        return errno;
    }
}
