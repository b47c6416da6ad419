package org.galerna.link.verbs.connecting;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import org.galerna.link.verbs.adapter.AdapterChoice;
import org.galerna.link.verbs.adapter.Attachment;
import org.jspecify.annotations.Nullable;

/**
 * What a rank publishes: what kind of adapter it has, and where RDMA CM listens there.
 *
 * @param kind {@code infiniband}, {@code roce} or {@code iwarp}
 * @param host name of the adapter and address, for messages
 * @param listener where RDMA CM listens; null if queue pairs are connected without it
 */
public record PeerAddress(
        String kind, String host, @Nullable InetSocketAddress listener) {
    /** What a rank publishes of its adapter. */
    public static PeerAddress of(Attachment attachment, @Nullable InetSocketAddress listener) {
        AdapterChoice choice = attachment.choice();
        String kind = attachment.adapter().isIwarp() ? "iwarp" : choice.port().ethernet() ? "roce" : "infiniband";
        return new PeerAddress(kind, choice.adapter() + " port " + choice.port().number(), listener);
    }

    public byte[] encode() {
        String where = listener == null ? "-" : listener.getAddress().getHostAddress() + " " + listener.getPort();
        return (kind + "\n" + host + "\n" + where).getBytes(UTF_8);
    }

    /**
     * Reads what {@link #encode} has written.
     *
     * @throws IllegalArgumentException if it is something else
     */
    public static PeerAddress decode(byte[] bytes) {
        String[] lines = new String(bytes, UTF_8).split("\n", -1);
        if (lines.length != 3) {
            throw new IllegalArgumentException("no address of an adapter: " + lines.length + " lines of text");
        }
        if (lines[2].equals("-")) {
            return new PeerAddress(lines[0], lines[1], null);
        }
        String[] parts = lines[2].split(" ", -1);
        try {
            if (parts.length == 2) {
                // literal: what a rank publishes must not make another one ask for names
                return new PeerAddress(
                        lines[0],
                        lines[1],
                        new InetSocketAddress(InetAddress.ofLiteral(parts[0]), Integer.parseInt(parts[1])));
            }
        } catch (IllegalArgumentException malformed) {
            throw new IllegalArgumentException("no address of an adapter: " + lines[2], malformed);
        }
        throw new IllegalArgumentException("no address of an adapter: " + lines[2]);
    }

    /** Why two adapters cannot talk to each other; empty if they may. */
    public Optional<String> against(PeerAddress other) {
        if (!kind.equals(other.kind)) {
            return Optional.of("it is on " + other.kind + " (" + other.host + "), and this one on " + kind);
        }
        if ((listener == null) != (other.listener == null)) {
            return Optional.of(
                    "RDMA CM can be used by one of the two only; set galerna.verbs.connect=exchange for all");
        }
        return Optional.empty();
    }
}
