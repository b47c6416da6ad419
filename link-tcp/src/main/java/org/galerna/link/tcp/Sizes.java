package org.galerna.link.tcp;

import org.galerna.link.LinkOptions;
import org.galerna.link.tcp.stream.OutboundRing;

/**
 * Sizes of the buffers of a connection. They shrink with the number of ranks, because every pair that talks has them at
 * both ends.
 */
record Sizes(int slots, int ringBytes) {
    static Sizes of(LinkOptions options, int ranks) {
        int slots = ranks <= 8 ? 1024 : ranks <= 32 ? 256 : 64;
        int bytes = ranks <= 8 ? 256 * 1024 : ranks <= 32 ? 64 * 1024 : 32 * 1024;
        return new Sizes(
                options.slots() == 0 ? slots : options.slots(),
                options.frameBytes() == 0 ? bytes : options.frameBytes());
    }

    int maximumFrame() {
        return OutboundRing.maximumFrame(ringBytes);
    }
}
