package org.galerna.nativeaccess.call;

import java.util.Locale;
import java.util.Optional;

/** Whether this machine, and the rights of this module in it, allow for calls of Linux' C library. */
public final class Platform {
    private static final boolean LINUX =
            System.getProperty("os.name", "").toLowerCase(Locale.ROOT).startsWith("linux");

    private Platform() {}

    /**
     * Why functions of the C library cannot be called, in one sentence; empty if they can.
     *
     * @param purpose the sentence for another system than Linux
     */
    public static Optional<String> obstacle(String purpose) {
        if (!LINUX) {
            return Optional.of(purpose);
        }
        return Platform.class.getModule().isNativeAccessEnabled()
                ? Optional.empty()
                : Optional.of("native access is not granted: start Java with --enable-native-access=ALL-UNNAMED");
    }

    /** Whether functions of the C library can be called, and have the parameters that they have on Linux. */
    public static boolean isUsable() {
        return obstacle("").isEmpty();
    }

    /** Whether the processor is one whose numbers of calls, options and flags are known. */
    public static boolean isProcessorKnown() {
        return number(0, 0) == 0;
    }

    /**
     * A number that Linux has on this processor; -1 if the processor is not known.
     *
     * @param amd64 the number on x86-64
     * @param generic the number on processors that Linux came to later: AArch64, RISC-V
     */
    public static int number(int amd64, int generic) {
        return switch (System.getProperty("os.arch", "")) {
            case "amd64" -> amd64;
            case "aarch64", "riscv64" -> generic;
            default -> -1;
        };
    }
}
