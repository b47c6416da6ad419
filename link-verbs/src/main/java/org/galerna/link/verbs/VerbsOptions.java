package org.galerna.link.verbs;

import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a site may want to choose, by system properties that begin with {@code galerna.verbs.}; everything has a default.
 *
 * @param adapter {@code adapter}: name of the adapter, e.g. {@code mlx5_0}; by default the first with an active port
 * @param port {@code port}: number of its port, from 1; 0 for the first active one
 * @param gidIndex {@code gid.index}: place of the GID in the port's table; −1 for the best one
 * @param mtu {@code mtu}: bytes of a packet, 256 to 4096; 0 for the port's; only where RDMA CM is not used
 * @param sends {@code send.depth}: work requests under way to one peer
 * @param credits {@code receive.depth}: messages of one peer that may lie unread; 0 lets the link choose
 * @param trafficClass {@code traffic.class}: of the packets, 0 to 255
 * @param inline {@code inline}: longest message that is sent inline, in bytes; −1 for what the adapter can do
 * @param connect {@code connect}: how queue pairs are connected
 * @param rendezvous {@code rendezvous}: how large messages are moved
 * @param cachedRegions {@code registration.cache}: memory regions that are kept registered; 0 for none
 */
record VerbsOptions(
        @Nullable String adapter,
        int port,
        int gidIndex,
        int mtu,
        int sends,
        int credits,
        int trafficClass,
        int inline,
        Connect connect,
        Rendezvous rendezvous,
        int cachedRegions) {
    /** What the names of the system properties begin with. */
    static final String PREFIX = "galerna.verbs.";

    /** How queue pairs are connected. */
    enum Connect {
        /** By RDMA CM if it can be, otherwise by exchange. */
        AUTO,
        /** By RDMA CM. */
        RDMACM,
        /** By exchange of their addresses through sockets. */
        EXCHANGE
    }

    /** How large messages are moved. */
    enum Rendezvous {
        /** The receiver reads out of the sender's memory. */
        READ,
        /** The receiver says where, and the sender writes. */
        WRITE
    }

    static VerbsOptions fromSystemProperties() {
        String adapter = System.getProperty(PREFIX + "adapter");
        int mtu = number("mtu", 0, 0, 4096);
        if (mtu != 0 && (mtu < 256 || Integer.bitCount(mtu) != 1)) {
            throw new IllegalArgumentException(PREFIX + "mtu must be 256, 512, 1024, 2048 or 4096, not " + mtu);
        }
        return new VerbsOptions(
                adapter == null || adapter.isEmpty() ? null : adapter,
                number("port", 0, 0, 255),
                number("gid.index", -1, -1, 65535),
                mtu,
                number("send.depth", 128, 1, 32768),
                number("receive.depth", 0, 0, Word.MOST_CREDITS),
                number("traffic.class", 0, 0, 255),
                number("inline", -1, -1, 4096),
                choice("connect", Connect.AUTO),
                choice("rendezvous", Rendezvous.READ),
                number("registration.cache", 256, 0, 1 << 20));
    }

    /** The adapter that is asked for; empty for any. */
    Optional<String> wantedAdapter() {
        return Optional.ofNullable(adapter);
    }

    private static int number(String name, int otherwise, int least, int most) {
        String text = System.getProperty(PREFIX + name);
        if (text == null || text.isEmpty()) {
            return otherwise;
        }
        try {
            int value = Integer.parseInt(text);
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException notANumber) {
            // reported below
        }
        throw new IllegalArgumentException(
                PREFIX + name + " must be a number from " + least + " to " + most + ", not \"" + text + "\"");
    }

    private static <E extends Enum<E>> E choice(String name, E otherwise) {
        String text = System.getProperty(PREFIX + name);
        if (text == null || text.isEmpty()) {
            return otherwise;
        }
        for (E each : otherwise.getDeclaringClass().getEnumConstants()) {
            if (each.name().equalsIgnoreCase(text)) {
                return each;
            }
        }
        throw new IllegalArgumentException(PREFIX + name + " must be one of "
                + java.util.Arrays.toString(otherwise.getDeclaringClass().getEnumConstants())
                        .toLowerCase(Locale.ROOT)
                + ", not \"" + text + "\"");
    }
}
