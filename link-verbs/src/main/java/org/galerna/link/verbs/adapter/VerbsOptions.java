package org.galerna.link.verbs.adapter;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.galerna.link.settings.Setting;
import org.galerna.link.verbs.wire.Word;
import org.galerna.nativeaccess.verbs.RdmaCm;
import org.galerna.nativeaccess.verbs.VerbsLibrary;
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
 * @param ackTimeout {@code ack.timeout}: 4.096 µs · 2^n until what nobody has acknowledged is sent again, 1 to 31; 0 for what
 *     RDMA CM takes, and {@link #ACK_TIMEOUT} where it is not used
 * @param inline {@code inline}: longest message that is sent inline, in bytes; −1 for what the adapter can do
 * @param connect {@code connect}: how queue pairs are connected
 * @param rendezvous {@code rendezvous}: how large messages are moved
 * @param cachedRegions {@code registration.cache}: memory regions that are kept registered; 0 for none
 */
public record VerbsOptions(
        @Nullable String adapter,
        int port,
        int gidIndex,
        int mtu,
        int sends,
        int credits,
        int trafficClass,
        int ackTimeout,
        int inline,
        Connect connect,
        Rendezvous rendezvous,
        int cachedRegions) {
    /** What the names of the system properties begin with. */
    public static final String PREFIX = "galerna.verbs.";

    /** 0.54 s, as Linux' RDMA CM has it over Ethernet. */
    static final int ACK_TIMEOUT = 17;

    /** How queue pairs are connected. */
    public enum Connect {
        /** By RDMA CM if it can be, otherwise by exchange. */
        AUTO,
        /** By RDMA CM. */
        RDMACM,
        /** By exchange of their addresses through sockets. */
        EXCHANGE
    }

    /** How large messages are moved. */
    public enum Rendezvous {
        /** The receiver reads out of the sender's memory. */
        READ,
        /** The receiver says where, and the sender writes. */
        WRITE
    }

    private static final Setting<Optional<String>> ADAPTER = Setting.text(
            PREFIX + "adapter", "name of the adapter, or several that ranks take in turn, e.g. mlx5_0,mlx5_1");
    private static final Setting<Integer> PORT = number("port", 0, 0, 255, "number of the adapter's port");
    private static final Setting<Optional<String>> GID_INDEX =
            Setting.text(PREFIX + "gid.index", "place in the port's table of GIDs, or several that ranks take in turn");
    private static final Setting<Integer> ONE_GID_INDEX = number("gid.index", -1, 0, 65535, "one of them");
    private static final Setting<Integer> MTU = number(
                    "mtu", 0, 0, 4096, "bytes of a packet, where RDMA CM does not decide it")
            .where("256, 512, 1024, 2048 or 4096", mtu -> mtu == 0 || (mtu >= 256 && Integer.bitCount(mtu) == 1));
    private static final Setting<Integer> SEND_DEPTH =
            number("send.depth", 128, 1, 32768, "work requests under way to one peer");
    private static final Setting<Integer> RECEIVE_DEPTH =
            number("receive.depth", 0, 0, Word.MOST_CREDITS, "messages of one peer that may lie unread");
    private static final Setting<Integer> TRAFFIC_CLASS =
            number("traffic.class", 0, 0, 255, "of the packets, 0 to 255");
    private static final Setting<Integer> ACK =
            number("ack.timeout", 0, 0, 31, "4.096 us * 2^n until what nobody has acknowledged is sent again, n");
    private static final Setting<Integer> INLINE =
            number("inline", -1, -1, 4096, "longest message that is sent inline, in bytes");
    private static final Setting<Connect> CONNECT =
            Setting.choice(PREFIX + "connect", Connect.AUTO, "auto, rdmacm or exchange");
    private static final Setting<Rendezvous> RENDEZVOUS = Setting.choice(
            PREFIX + "rendezvous",
            Rendezvous.READ,
            "large messages are read by the receiver, or written by the sender: read or write");
    private static final Setting<Integer> CACHED_REGIONS =
            number("registration.cache", 256, 0, 1 << 20, "memory regions that stay registered");
    private static final Setting<Optional<String>> LIBRARY =
            Setting.text(VerbsLibrary.PROPERTY, "path of libibverbs, if it is not the system's");
    private static final Setting<Optional<String>> CM_LIBRARY =
            Setting.text(RdmaCm.PROPERTY, "path of librdmacm, if it is not the system's");

    /** The system properties, each with what it is for. */
    public static final Map<String, String> MEANINGS = Setting.meanings(List.of(
            ADAPTER,
            PORT,
            GID_INDEX,
            MTU,
            SEND_DEPTH,
            RECEIVE_DEPTH,
            TRAFFIC_CLASS,
            ACK,
            INLINE,
            CONNECT,
            RENDEZVOUS,
            CACHED_REGIONS,
            LIBRARY,
            CM_LIBRARY));

    private static Setting<Integer> number(String name, int otherwise, int least, int most, String meaning) {
        return Setting.number(PREFIX + name, otherwise, least, most, meaning);
    }

    /**
     * What the system properties say.
     *
     * @param rank where there is a list for ranks to take from in turn, the one of this rank is taken
     * @throws IllegalArgumentException if one has a value that it cannot have; the message names both
     */
    public static VerbsOptions of(int rank) {
        return new VerbsOptions(
                inTurn(ADAPTER, rank).orElse(null),
                PORT.get(),
                inTurn(GID_INDEX, rank).map(ONE_GID_INDEX::parse).orElse(-1),
                MTU.get(),
                SEND_DEPTH.get(),
                RECEIVE_DEPTH.get(),
                TRAFFIC_CLASS.get(),
                ACK.get(),
                INLINE.get(),
                CONNECT.get(),
                RENDEZVOUS.get(),
                CACHED_REGIONS.get());
    }

    /** The adapter that is asked for; empty for any. */
    Optional<String> wantedAdapter() {
        return Optional.ofNullable(adapter);
    }

    private static Optional<String> inTurn(Setting<Optional<String>> setting, int rank) {
        return setting.get().map(text -> {
            List<String> values =
                    Arrays.stream(text.split(",", -1)).map(String::strip).toList();
            if (values.contains("")) {
                throw new IllegalArgumentException(
                        setting.name() + " has an empty place in its list: \"" + text + "\"");
            }
            return values.get(rank % values.size());
        });
    }
}
