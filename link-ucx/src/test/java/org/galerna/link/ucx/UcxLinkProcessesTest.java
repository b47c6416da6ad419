package org.galerna.link.ucx;

import java.util.List;
import org.galerna.nativeaccess.ucx.UcxLibrary;
import org.galerna.nativeaccess.ucx.UcxWorker;
import org.galerna.testkit.process.DeviceProcesses;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;

/** Ranks that are processes of their own talk by frames over UCX, and notice each other's end. */
class UcxLinkProcessesTest implements DeviceProcesses {
    @BeforeAll
    static void needsTheLibrary() {
        UcxWorker.unavailable().ifPresent(Assumptions::abort);
    }

    @Override
    public String device() {
        return UcxAloneProvider.DEVICE;
    }

    @Override
    public List<String> options() {
        return List.of(
                "--enable-native-access=ALL-UNNAMED",
                "-Xmx512m",
                "-D" + UcxLibrary.PROPERTY + "=" + System.getProperty(UcxLibrary.PROPERTY, UcxLibrary.LIBRARY));
    }
}
