package org.galerna.device.matching;

import org.galerna.device.Devices;
import org.galerna.link.wireup.InProcessWireup;

/** The device of a job of one rank, for requests to belong to. */
final class Alone {
    private Alone() {}

    static MatchingDevice open() {
        return (MatchingDevice) Devices.open(
                "smdev", InProcessWireup.create(1, (rank, status, reason) -> {}).getFirst());
    }
}
