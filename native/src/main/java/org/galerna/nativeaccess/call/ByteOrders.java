package org.galerna.nativeaccess.call;

import java.nio.ByteOrder;

/** Numbers as they travel. */
public final class ByteOrders {
    private static final boolean SWAPPED = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    private ByteOrders() {}

    /** From the machine's order to that of the network, or back. */
    public static int network(int number) {
        return SWAPPED ? Integer.reverseBytes(number) : number;
    }

    /** From the machine's order to that of the network, or back. */
    public static short network(short number) {
        return SWAPPED ? Short.reverseBytes(number) : number;
    }
}
