package org.galerna.nativeaccess.call;

import java.util.Optional;

/**
 * A call of Linux that the C library has no function for, by its number. Any thread may call; the call may block.
 *
 * @param syscall the C library's {@code syscall(2)}
 * @param number which call
 */
public record SystemCall(CFunction syscall, long number) {
    /**
     * The call; empty if this is not Linux, not a known processor, or native access is not granted. The system may not have
     * it all the same.
     *
     * @param amd64 its number on x86-64
     * @param generic its number on AArch64 and RISC-V
     */
    public static Optional<SystemCall> find(int amd64, int generic) {
        int number = Platform.number(amd64, generic);
        return number >= 0 && Platform.isUsable()
                ? CFunction.find("syscall").map(syscall -> new SystemCall(syscall, number))
                : Optional.empty();
    }

    /** Calls it; its result, or -1. */
    public long call(long a) {
        return syscall.call(CFunction.IGNORED, number, a);
    }

    /** As {@link #call(long)}, with three parameters. */
    public long call(long a, long b, long c) {
        return syscall.call(CFunction.IGNORED, number, a, b, c);
    }

    /** As {@link #call(long)}, with four parameters. */
    public long call(long a, long b, long c, long d) {
        return syscall.call(CFunction.IGNORED, number, a, b, c, d);
    }
}
