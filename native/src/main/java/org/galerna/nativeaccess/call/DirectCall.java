package org.galerna.nativeaccess.call;

/** The call that {@link CallLibrary} has. */
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
}
