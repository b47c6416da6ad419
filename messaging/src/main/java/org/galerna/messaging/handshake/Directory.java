package org.galerna.messaging.handshake;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.UnknownHostException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a node knows about where the nodes of its cluster listen. Of two that say something else about a node the one
 * that has heard of a later start is right. Any thread.
 *
 * <p>Two nodes tell each other what they know in sealed messages of a {@link SecureCall}, each side as many as it needs:
 *
 * <pre>
 *    0  1 if more messages follow, otherwise 0 (1)
 *    1  nodes (4)
 *       of each: number (2) | port (2) | incarnation (8), 0 if unknown | bytes of the host (1) | host, UTF-8
 * </pre>
 */
public final class Directory {
    private static final int MOST_IN_MESSAGE = 200;
    private static final int LONGEST_HOST = 255;
    private static final int FIXED_BYTES = 13;
    private static final int HEADER_BYTES = 5;

    private final Map<Integer, Entry> entries = new HashMap<>(); // guarded by this

    /**
     * Where a node listens.
     *
     * @param incarnation which start of it this is; 0 if that is unknown
     */
    public record Entry(long incarnation, InetSocketAddress address) {}

    /** Nothing is known. */
    public Directory() {}

    /** Takes the program's word for where a node listens; that of another node counts once it has heard of a later start. */
    public synchronized void set(int node, InetSocketAddress address) {
        Entry known = entries.get(node);
        entries.put(node, new Entry(known == null ? 0 : known.incarnation(), address));
    }

    /** Learns where a start of a node listens, unless a later one is known. */
    public synchronized void learn(int node, Entry entry) {
        Entry known = entries.get(node);
        if (known == null || entry.incarnation() > known.incarnation()) {
            entries.put(node, entry);
        }
    }

    /** Where a node listens, as far as is known. */
    public synchronized @Nullable InetSocketAddress address(int node) {
        Entry known = entries.get(node);
        return known == null ? null : known.address();
    }

    /** Looks the name up again, for it may mean another host by now. */
    public static InetSocketAddress resolved(InetSocketAddress address) throws UnknownHostException {
        InetSocketAddress known =
                address.isUnresolved() ? new InetSocketAddress(address.getHostString(), address.getPort()) : address;
        if (known.isUnresolved()) {
            throw new UnknownHostException("there is no host " + address.getHostString());
        }
        return known;
    }

    /** Numbers of all nodes of which is known where they listen. */
    public synchronized Set<Integer> nodes() {
        return new TreeSet<>(entries.keySet());
    }

    /** Tells the other side all that is known, and learns what it knows. Both sides call this, after the call was accepted. */
    public void exchange(SecureCall call) throws IOException {
        Map<Integer, Entry> own;
        synchronized (this) {
            own = Map.copyOf(entries);
        }
        Iterator<Map.Entry<Integer, Entry>> rest = own.entrySet().iterator();
        boolean telling = true;
        boolean listening = true;
        while (telling || listening) { // by turns: neither waits for the other one to read
            if (telling) {
                call.send(next(rest));
                telling = rest.hasNext();
            }
            listening = listening && read(call.receive());
        }
    }

    private static byte[] next(Iterator<Map.Entry<Integer, Entry>> rest) {
        ByteBuffer message = ByteBuffer.allocate(HEADER_BYTES + MOST_IN_MESSAGE * (FIXED_BYTES + LONGEST_HOST))
                .position(HEADER_BYTES);
        int count = 0;
        while (count < MOST_IN_MESSAGE && rest.hasNext()) {
            Map.Entry<Integer, Entry> each = rest.next();
            count += write(message, each.getKey(), each.getValue());
        }
        message.put(0, (byte) (rest.hasNext() ? 1 : 0)).putInt(1, count);
        byte[] bytes = new byte[message.position()];
        message.get(0, bytes);
        return bytes;
    }

    /** Returns the number of nodes written: none if others cannot make anything of the address. */
    private static int write(ByteBuffer message, int node, Entry entry) {
        InetSocketAddress address = entry.address();
        byte[] host = (address.isUnresolved()
                        ? address.getHostString()
                        : address.getAddress().getHostAddress())
                .getBytes(UTF_8);
        boolean anywhere = !address.isUnresolved() && address.getAddress().isAnyLocalAddress();
        if (anywhere || address.getPort() == 0 || host.length > LONGEST_HOST) {
            return 0;
        }
        message.putShort((short) node)
                .putShort((short) address.getPort())
                .putLong(entry.incarnation())
                .put((byte) host.length)
                .put(host);
        return 1;
    }

    /** Returns whether more follow. */
    boolean read(byte[] bytes) throws ProtocolException {
        ByteBuffer message = ByteBuffer.wrap(bytes);
        try {
            boolean more = message.get() != 0;
            int count = message.getInt();
            for (int each = 0; each < count; each++) {
                int node = Short.toUnsignedInt(message.getShort());
                int port = Short.toUnsignedInt(message.getShort());
                long incarnation = message.getLong();
                byte[] host = new byte[Byte.toUnsignedInt(message.get())];
                message.get(host);
                if (node > Greeting.MOST_NODE || port == 0 || host.length == 0) {
                    throw new ProtocolException("it says that node " + node + " listens at port " + port);
                }
                // names are looked up when the node is called
                learn(node, new Entry(incarnation, InetSocketAddress.createUnresolved(new String(host, UTF_8), port)));
            }
            return more;
        } catch (BufferUnderflowException tooShort) {
            throw new ProtocolException("what it knows about nodes ends in the middle");
        }
    }
}
