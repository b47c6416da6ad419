package org.galerna.nativeaccess.call;

import java.nio.ByteBuffer;

/** The calls that {@link CallLibrary} has. */
final class DirectCall {
    private DirectCall() {}

    /**
     * Calls a function with six whole numbers.
     *
     * @param function its address
     * @param errno address of the C library's function that tells where the error of the calling thread is
     * @param state address of the {@code int} that takes the error
     */
    static native long call(long function, long errno, long state, long a, long b, long c, long d, long e, long f);

    /**
     * Calls the kernel with six whole numbers.
     *
     * @param number which call, as x86-64 counts them
     * @return the kernel's result: from -4095 to -1 the negative of an error
     */
    static native long system(long number, long a, long b, long c, long d, long e, long f);

    /** Where the memory of a direct buffer is. */
    static native long address(ByteBuffer buffer);
}
