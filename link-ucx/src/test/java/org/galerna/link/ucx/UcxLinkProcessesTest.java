package org.galerna.link.ucx;

import java.util.List;
import org.galerna.nativeaccess.ucx.UcxLibrary;
import org.galerna.nativeaccess.ucx.UcxWorker;
import org.galerna.testkit.process.DeviceProcesses;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

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

    @Override
    @Test
    @Tag("slow")
    public void whoMayLockHardlyAnyMemoryTalks() throws Exception {
        DeviceProcesses.super.whoMayLockHardlyAnyMemoryTalks();
    }

    @Override
    @Test
    @Tag("slow")
    public void theVirtualMachineKeepsItsSignals() throws Exception {
        DeviceProcesses.super.theVirtualMachineKeepsItsSignals();
    }
}
