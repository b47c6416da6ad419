package org.galerna.nativeaccess.file;

import java.io.IOException;

/** A call of the system that has failed. */
public final class SystemCallException extends IOException {
    private static final long serialVersionUID = 1L;

    /** {@link #errno}: there is no such file. */
    public static final int ENOENT = 2;

    /** {@link #errno}: the file is there already. */
    public static final int EEXIST = 17;

    /** {@link #errno}: no room is left in the file system. */
    public static final int ENOSPC = 28;

    /** {@link #errno}: a folder is not empty. */
    public static final int ENOTEMPTY = 39;

    /** {@link #errno}: a symbolic link where there must be none. */
    public static final int ELOOP = 40;

    private final int errno;

    public SystemCallException(String what, int errno, String reason) {
        super(what + ": " + reason);
        this.errno = errno;
    }

    /** The system's number of the reason, as in {@code errno(3)}. */
    public int errno() {
        return errno;
    }
}
