package org.galerna.link.verbs.adapter;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
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

    /** The system properties, each with what it is for. */
    public static final Map<String, String> MEANINGS = meanings();

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

    private static Map<String, String> meanings() {
        Map<String, String> meanings = new LinkedHashMap<>();
        meanings.put(PREFIX + "adapter", "name of the adapter, or several that ranks take in turn, e.g. mlx5_0,mlx5_1");
        meanings.put(PREFIX + "port", "number of the adapter's port");
        meanings.put(PREFIX + "gid.index", "place in the port's table of GIDs, or several that ranks take in turn");
        meanings.put(PREFIX + "mtu", "bytes of a packet, where RDMA CM does not decide it");
        meanings.put(PREFIX + "send.depth", "work requests under way to one peer");
        meanings.put(PREFIX + "receive.depth", "messages of one peer that may lie unread");
        meanings.put(PREFIX + "traffic.class", "of the packets, 0 to 255");
        meanings.put(PREFIX + "ack.timeout", "4.096 us * 2^n until what nobody has acknowledged is sent again, n");
        meanings.put(PREFIX + "inline", "longest message that is sent inline, in bytes");
        meanings.put(PREFIX + "connect", "auto, rdmacm or exchange");
        meanings.put(
                PREFIX + "rendezvous",
                "large messages are read by the receiver, or written by the sender: read or write");
        meanings.put(PREFIX + "registration.cache", "memory regions that stay registered");
        meanings.put(VerbsLibrary.PROPERTY, "path of libibverbs, if it is not the system's");
        meanings.put(RdmaCm.PROPERTY, "path of librdmacm, if it is not the system's");
        return Collections.unmodifiableMap(meanings);
    }

    /**
     * What the system properties say.
     *
     * @param rank where there is a list for ranks to take from in turn, the one of this rank is taken
     * @throws IllegalArgumentException if one has a value that it cannot have; the message names both
     */
    public static VerbsOptions of(int rank) {
        int mtu = number("mtu", 0, 0, 4096);
        if (mtu != 0 && (mtu < 256 || Integer.bitCount(mtu) != 1)) {
            throw new IllegalArgumentException(PREFIX + "mtu must be 256, 512, 1024, 2048 or 4096, not " + mtu);
        }
        return new VerbsOptions(
                inTurn("adapter", rank).orElse(null),
                number("port", 0, 0, 255),
                inTurn("gid.index", rank)
                        .map(text -> parse("gid.index", text, 0, 65535))
                        .orElse(-1),
                mtu,
                number("send.depth", 128, 1, 32768),
                number("receive.depth", 0, 0, Word.MOST_CREDITS),
                number("traffic.class", 0, 0, 255),
                number("ack.timeout", 0, 0, 31),
                number("inline", -1, -1, 4096),
                choice("connect", Connect.AUTO),
                choice("rendezvous", Rendezvous.READ),
                number("registration.cache", 256, 0, 1 << 20));
    }

    /** The adapter that is asked for; empty for any. */
    Optional<String> wantedAdapter() {
        return Optional.ofNullable(adapter);
    }

    private static Optional<String> text(String name) {
        return Optional.ofNullable(System.getProperty(PREFIX + name))
                .map(String::strip)
                .filter(text -> !text.isEmpty());
    }

    private static Optional<String> inTurn(String name, int rank) {
        return text(name).map(text -> {
            List<String> values =
                    Arrays.stream(text.split(",", -1)).map(String::strip).toList();
            if (values.contains("")) {
                throw new IllegalArgumentException(PREFIX + name + " has an empty place in its list: \"" + text + "\"");
            }
            return values.get(rank % values.size());
        });
    }

    private static int number(String name, int otherwise, int least, int most) {
        return text(name).map(text -> parse(name, text, least, most)).orElse(otherwise);
    }

    private static int parse(String name, String text, int least, int most) {
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
        Class<E> type = otherwise.getDeclaringClass();
        return text(name)
                .map(text -> find(type, text)
                        .orElseThrow(() -> new IllegalArgumentException(PREFIX + name + " must be one of "
                                + Arrays.stream(type.getEnumConstants())
                                        .map(VerbsOptions::word)
                                        .collect(Collectors.joining(", "))
                                + ", not \"" + text + "\"")))
                .orElse(otherwise);
    }

    private static <E extends Enum<E>> Optional<E> find(Class<E> type, String text) {
        return Arrays.stream(type.getEnumConstants())
                .filter(each -> word(each).equalsIgnoreCase(text))
                .findFirst();
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
