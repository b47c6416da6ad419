package org.galerna.nativeaccess.file;

import org.galerna.nativeaccess.call.CFunction;

/** Flags of file descriptors that libraries hand out. Linux only. */
public final class Descriptors {
    private static final int GET_FLAGS = 3; // F_GETFL
    private static final int SET_FLAGS = 4; // F_SETFL
    private static final int DO_NOT_BLOCK = 0x800; // O_NONBLOCK

    private static final CFunction FCNTL = CFunction.of("fcntl");

    private Descriptors() {}

    /** Has calls on the descriptor return at once when they would have to wait. */
    public static void doNotBlock(int descriptor) {
        int flags = (int) FCNTL.call(CFunction.IGNORED, descriptor, GET_FLAGS);
        if (flags < 0 || (int) FCNTL.call(CFunction.IGNORED, descriptor, SET_FLAGS, flags | DO_NOT_BLOCK) < 0) {
            throw new IllegalArgumentException(descriptor + " is no open file descriptor");
        }
    }
}
