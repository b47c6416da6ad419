package org.galerna.messaging.handshake;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.galerna.messaging.serialization.TypeLayout;

/**
 * What two nodes tell each other before they open a link: how much each takes, and how the messages of each type and the calls of
 * each method lie in their bytes. Both say the first, and then, of the types that both know and whose fingerprints differ and of
 * the methods that they offer, the layouts. In sealed messages of a {@link SecureCall}, each side as many as it needs:
 *
 * <pre>
 *    0  1 if more messages follow, otherwise 0 (1)
 *       a part of: window (4) | longest message (8) | types (4)
 *                  of each: number (2) | version (1) | fingerprint of its layout (8)
 *                  offered methods (4)
 *       and then of: the layouts of types that differ, by their numbers
 *                  of each offered method: key (8) | layout
 * </pre>
 */
public final class Introduction {
    private static final int PART_BYTES = 32 * 1024;

    /** Of what a node says in one message. What is read of that takes some ten times as much memory at most. */
    static final int MOST_BYTES = 4 << 20;

    private static final int MOST_OFFERS = 65_536;
    private static final String TOO_SHORT = "what it says of itself ends in the middle";
    private static final int NOTE_BYTES = Short.BYTES + 1 + Long.BYTES;

    private final int window;
    private final long maximumMessage;
    private final NavigableMap<Integer, Known> types;
    private final Map<Integer, Long> fingerprints = new HashMap<>(); // of the layouts of types
    private final NavigableMap<Long, TypeLayout> offered;

    /**
     * What a node says of itself.
     *
     * @param window bytes that it takes of another node before they are handled
     * @param maximumMessage bytes of the longest message that it takes
     * @param known its types, by their numbers
     * @param offered arguments and results of the methods that it offers, by their keys
     * @throws IllegalArgumentException if there is more to say than another node takes
     */
    public Introduction(int window, long maximumMessage, Map<Integer, Known> known, Map<Long, TypeLayout> offered) {
        this.window = window;
        this.maximumMessage = maximumMessage;
        this.types = new TreeMap<>(known);
        long bytes = 0;
        for (Map.Entry<Integer, Known> each : known.entrySet()) {
            byte[] layout = each.getValue().layout.encode();
            fingerprints.put(each.getKey(), fingerprint(layout));
            bytes += layout.length;
        }
        this.offered = new TreeMap<>(offered);
        for (TypeLayout each : offered.values()) {
            bytes += Long.BYTES + each.encode().length;
        }
        if (bytes > MOST_BYTES - PART_BYTES) {
            throw new IllegalArgumentException("its " + known.size() + " types and the " + offered.size()
                    + " methods that it offers take " + bytes + " bytes to describe to other nodes, which take "
                    + (MOST_BYTES - PART_BYTES)
                    + ": register fewer, or let a serializer of your own stand for large records");
        }
    }

    /**
     * A type of which is known how its messages lie in their bytes.
     *
     * @param name for messages
     */
    public record Known(int version, String name, TypeLayout layout) {}

    /**
     * What another node takes.
     *
     * @param window bytes before they are handled
     * @param maximumMessage bytes of the longest message
     * @param differences of types that are laid out otherwise there: what is different, by their numbers
     * @param offered methods of its services: their arguments and results, by their keys
     */
    public record Peer(
            int window, long maximumMessage, Map<Integer, String> differences, Map<Long, TypeLayout> offered) {
        /** One that takes everything. */
        public static final Peer UNLIMITED = new Peer(Integer.MAX_VALUE, Long.MAX_VALUE, Map.of(), Map.of());
    }

    /**
     * What another node has said first.
     *
     * @param differing types that both know, and that are laid out otherwise there
     * @param offers how many methods it offers
     */
    record Summary(int window, long maximumMessage, NavigableMap<Integer, Known> differing, int offers) {}

    /** Tells the other side, and hears what it says. Both sides call this, after the call was accepted. */
    public Peer exchange(SecureCall call, int node) throws IOException {
        Summary summary = summary(exchange(call, own()));
        if (summary.differing.isEmpty() && offered.isEmpty() && summary.offers == 0) {
            return new Peer(summary.window, summary.maximumMessage, Map.of(), Map.of());
        }
        return peer(node, summary, exchange(call, layouts(summary.differing.values())));
    }

    /** What the other side has said first. */
    Summary summary(byte[] bytes) throws IOException {
        try {
            ByteBuffer said = ByteBuffer.wrap(bytes);
            int otherWindow = said.getInt();
            long otherMaximum = said.getLong();
            int count = said.getInt();
            if (otherWindow <= 0 || otherMaximum <= 0 || count < 0 || count > said.remaining() / NOTE_BYTES) {
                throw new ProtocolException("what it says of itself makes no sense");
            }
            NavigableMap<Integer, Known> differing = new TreeMap<>();
            for (int each = 0; each < count; each++) {
                int number = Short.toUnsignedInt(said.getShort());
                int ignored = said.get(); // the version: what an older one lacks is no difference
                long fingerprint = said.getLong();
                Known type = types.get(number);
                if (type != null && !Long.valueOf(fingerprint).equals(fingerprints.get(number))) {
                    differing.put(number, type);
                }
            }
            int offers = said.getInt();
            if (offers < 0 || offers > MOST_OFFERS) {
                throw new ProtocolException("it says that it offers " + offers + " methods");
            }
            return new Summary(otherWindow, otherMaximum, differing, offers);
        } catch (BufferUnderflowException tooShort) {
            throw new ProtocolException(TOO_SHORT);
        }
    }

    /** What the other side takes, as it has said then. */
    Peer peer(int node, Summary summary, byte[] layouts) throws IOException {
        DataInputStream said = new DataInputStream(new ByteArrayInputStream(layouts));
        try {
            Map<Integer, String> differences = compare(node, summary.differing, said);
            return new Peer(summary.window, summary.maximumMessage, differences, offers(summary.offers, said));
        } catch (EOFException tooShort) {
            throw new ProtocolException(TOO_SHORT);
        }
    }

    /** What this node says first. */
    byte[] own() {
        ByteBuffer bytes = ByteBuffer.allocate(
                Integer.BYTES + Long.BYTES + Integer.BYTES + types.size() * NOTE_BYTES + Integer.BYTES);
        bytes.putInt(window).putLong(maximumMessage).putInt(types.size());
        types.forEach((number, type) -> bytes.putShort((short) (int) number)
                .put((byte) type.version)
                .putLong(Objects.requireNonNull(fingerprints.get(number))));
        bytes.putInt(offered.size());
        return bytes.array();
    }

    private static long fingerprint(byte[] layout) {
        try {
            return ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(layout))
                    .getLong();
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** What it says then. */
    byte[] layouts(Collection<Known> differing) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            for (Known each : differing) {
                out.write(each.layout.encode());
            }
            for (Map.Entry<Long, TypeLayout> each : offered.entrySet()) {
                out.writeLong(each.getKey());
                out.write(each.getValue().encode());
            }
        }
        return bytes.toByteArray();
    }

    private Map<Long, TypeLayout> offers(int count, DataInputStream in) throws IOException {
        Map<Long, TypeLayout> offers = new HashMap<>();
        for (int each = 0; each < count; each++) {
            long key = in.readLong();
            TypeLayout other = TypeLayout.decode(in);
            TypeLayout own = offered.get(key);
            offers.put(key, other.equals(own) ? own : other); // nodes that offer the same keep it once
        }
        return Map.copyOf(offers);
    }

    private static Map<Integer, String> compare(int node, NavigableMap<Integer, Known> differing, DataInputStream in)
            throws IOException {
        Map<Integer, String> differences = new TreeMap<>();
        for (Map.Entry<Integer, Known> each : differing.entrySet()) {
            String difference = each.getValue().layout.difference(TypeLayout.decode(in));
            if (difference != null) {
                differences.put(
                        each.getKey(),
                        "messages of type " + each.getValue().name + " are laid out otherwise at node " + node + ": "
                                + difference + ". A type that changes in this way needs a new number");
            }
        }
        return Map.copyOf(differences);
    }

    /** By turns: neither side waits for the other one to read. */
    private static byte[] exchange(SecureCall call, byte[] own) throws IOException {
        ByteArrayOutputStream heard = new ByteArrayOutputStream();
        int next = 0;
        boolean telling = true;
        boolean listening = true;
        while (telling || listening) {
            if (telling) {
                int end = Math.min(own.length, next + PART_BYTES);
                byte[] part = Arrays.copyOfRange(own, next, end);
                telling = end < own.length;
                call.send(ByteBuffer.allocate(1 + part.length)
                        .put((byte) (telling ? 1 : 0))
                        .put(part)
                        .array());
                next = end;
            }
            if (listening) {
                byte[] part = call.receive();
                if (part.length == 0 || heard.size() + part.length > MOST_BYTES) {
                    throw new ProtocolException("what it says of itself is too long, or nothing");
                }
                heard.write(part, 1, part.length - 1);
                listening = part[0] != 0;
            }
        }
        return heard.toByteArray();
    }
}
