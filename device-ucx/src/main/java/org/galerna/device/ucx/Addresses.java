package org.galerna.device.ucx;

import java.util.Arrays;
import org.galerna.link.Wireup;

/** Where the workers of UCX of the job's ranks are reached, by way of the wire-up, whose values are shorter than some addresses. */
final class Addresses {
    private static final String KEY = "galerna.ucx.address";
    private static final String PARTS = "galerna.ucx.parts";

    private final Wireup wireup;

    Addresses(Wireup wireup) {
        this.wireup = wireup;
    }

    /** Tells the others where this rank is reached; before a fence. */
    void publish(byte[] address) {
        int part = Wireup.MAXIMUM_VALUE;
        int parts = (address.length + part - 1) / part;
        wireup.put(PARTS, new byte[] {(byte) parts});
        for (int each = 0; each < parts; each++) {
            wireup.put(
                    KEY + each, Arrays.copyOfRange(address, each * part, Math.min(address.length, (each + 1) * part)));
        }
    }

    /** Where a rank is reached; after that fence. */
    byte[] of(int rank) {
        byte[] address = {};
        for (int each = 0; each < wireup.get(rank, PARTS)[0]; each++) {
            byte[] part = wireup.get(rank, KEY + each);
            int before = address.length;
            address = Arrays.copyOf(address, before + part.length);
            System.arraycopy(part, 0, address, before, part.length);
        }
        return address;
    }
}
