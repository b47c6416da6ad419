package org.galerna.link.wireup;

import java.util.Arrays;
import org.galerna.link.Wireup;

/** Values of the wire-up that may be longer than it takes at once, such as addresses of libraries. */
public final class LongValues {
    private static final String COUNT = ".parts";

    private LongValues() {}

    /** Publishes a value, as {@link Wireup#put}. */
    public static void put(Wireup wireup, String key, byte[] value) {
        int most = Wireup.MAXIMUM_VALUE;
        int parts = (value.length + most - 1) / most;
        wireup.put(key + COUNT, new byte[] {(byte) parts});
        for (int part = 0; part < parts; part++) {
            int from = part * most;
            wireup.put(key + "." + part, Arrays.copyOfRange(value, from, Math.min(value.length, from + most)));
        }
    }

    /** The value that a rank has published, as {@link Wireup#get}. */
    public static byte[] get(Wireup wireup, int rank, String key) {
        byte[] value = {};
        int parts = wireup.get(rank, key + COUNT)[0];
        for (int part = 0; part < parts; part++) {
            byte[] next = wireup.get(rank, key + "." + part);
            int length = value.length;
            value = Arrays.copyOf(value, length + next.length);
            System.arraycopy(next, 0, value, length, next.length);
        }
        return value;
    }
}
