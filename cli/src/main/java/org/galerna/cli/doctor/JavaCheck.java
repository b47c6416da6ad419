package org.galerna.cli.doctor;

import java.util.List;
import org.galerna.nativeaccess.memory.Membarrier;

/** The Java virtual machine. */
final class JavaCheck {
    private static final int NEEDED = 25;

    private JavaCheck() {}

    static List<Finding> findings() {
        return List.of(version(), nativeAccess());
    }

    private static Finding version() {
        String value = Runtime.version() + ", " + System.getProperty("java.vendor", "unknown vendor") + ", "
                + System.getProperty("java.home", "");
        return Runtime.version().feature() >= NEEDED
                ? Finding.good("JDK", value, "")
                : Finding.bad("JDK", value, "Galerna needs JDK " + NEEDED + " or newer.");
    }

    private static Finding nativeAccess() {
        if (!Membarrier.class.getModule().isNativeAccessEnabled()) {
            return Finding.less(
                    "native access",
                    "not granted",
                    "Start Java with --enable-native-access=ALL-UNNAMED. Without it only threads of one JVM communicate, "
                            + "a little slower.");
        }
        return Membarrier.instance().isPresent()
                ? Finding.good("native access", "granted, membarrier works", "")
                : Finding.less(
                        "native access",
                        "granted, but there is no membarrier",
                        "Small messages cost a full fence each. Linux 4.14 or newer has membarrier.");
    }
}
