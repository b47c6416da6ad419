package org.galerna.collectives;

import java.nio.charset.StandardCharsets;
import org.galerna.link.Wireup;
import org.galerna.testkit.wireup.ForwardingWireup;

/** The wire-up of a job in this JVM whose ranks are said to be on other hosts, heaps and packages than they are. */
final class PlacedWireup extends ForwardingWireup {
    private static final String HOST = "galerna.host";

    private final Placement placement;

    PlacedWireup(Wireup real, Placement placement) {
        super(real);
        this.placement = placement;
    }

    @Override
    public byte[] get(int rank, String key) {
        return key.equals(HOST)
                ? ("machine network host-" + placement.hostOf(rank) + "\n0-3\nheap-" + placement.heapOf(rank) + "\n"
                                + placement.packageOf(rank))
                        .getBytes(StandardCharsets.UTF_8)
                : super.get(rank, key);
    }
}
