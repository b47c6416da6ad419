package org.galerna.cli.doctor;

import java.util.List;
import java.util.stream.Stream;

/** Everything that the doctor looks at. */
public final class Examination {
    private Examination() {}

    /** The findings, the general ones first. */
    public static List<Finding> findings() {
        return Stream.of(
                        JavaCheck.findings(),
                        MachineCheck.findings(),
                        LibraryCheck.findings(),
                        AdapterCheck.findings(),
                        FabricCheck.findings(),
                        DeviceCheck.findings(),
                        LauncherCheck.findings())
                .flatMap(List::stream)
                .toList();
    }
}
