package org.galerna.messaging.rendezvous;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.SocketChannel;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.galerna.link.CommunicationException;
import org.galerna.link.Entrance;
import org.galerna.link.Wireup;

/**
 * The wire-up of two nodes that open a link: a job of two ranks, of which the node with the lower number is rank 0. Values
 * travel in one sealed message at each fence.
 */
public final class PairWireup implements Wireup {
    private final Call call;
    private final String job;
    private final int rank;
    private final Map<String, byte[]> unsent = new LinkedHashMap<>(); // guarded by this
    private final Map<String, byte[]> own = new ConcurrentHashMap<>(); // asked for during fences, too, as the next one
    private final Map<String, byte[]> others = new ConcurrentHashMap<>();
    private final Entrance entrance;

    /**
     * The wire-up over a call that was accepted.
     *
     * @param guests of the node's door
     */
    public PairWireup(Call call, int node, int peer, Guests guests) {
        this.call = call;
        this.entrance = new DoorEntrance(call, node, peer, guests);
        this.rank = node < peer ? 0 : 1;
        this.job = "messaging-" + Math.min(node, peer) + "-" + Math.max(node, peer) + "-" + call.name();
    }

    @Override
    public String job() {
        return job;
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public int size() {
        return 2;
    }

    @Override
    public synchronized void put(String key, byte[] value) {
        if (value.length > MAXIMUM_VALUE) {
            throw new IllegalArgumentException("value of key " + key + " has " + value.length + " bytes, at most "
                    + MAXIMUM_VALUE + " are carried");
        }
        unsent.put(key, value.clone());
        own.put(key, value.clone());
    }

    @Override
    public synchronized void fence() {
        try {
            ByteArrayOutputStream message = new ByteArrayOutputStream();
            DataOutputStream out = new DataOutputStream(message);
            out.writeInt(unsent.size());
            for (Map.Entry<String, byte[]> each : unsent.entrySet()) {
                out.writeUTF(each.getKey());
                out.writeShort(each.getValue().length);
                out.write(each.getValue());
            }
            unsent.clear();
            call.send(message.toByteArray());
            DataInputStream in = new DataInputStream(new ByteArrayInputStream(call.receive()));
            for (int left = in.readInt(); left > 0; left--) {
                String key = in.readUTF();
                byte[] value = new byte[Short.toUnsignedInt(in.readShort())];
                in.readFully(value);
                others.put(key, value);
            }
        } catch (IOException failed) {
            throw new CommunicationException(
                    "the two nodes of " + job + " do not meet: " + failed.getMessage(), failed);
        }
    }

    @Override
    public byte[] get(int of, String key) {
        byte[] value = (of == rank ? own : others).get(key);
        if (value == null) {
            throw new CommunicationException("rank " + of + " of " + job + " has published no value of key " + key);
        }
        return value.clone();
    }

    @Override
    public Optional<Entrance> entrance() {
        return Optional.of(entrance);
    }

    /** The door of the node that was called: who has called it knows where it is. */
    private record DoorEntrance(Call call, int node, int peer, Guests guests) implements Entrance {
        @Override
        public Optional<SocketAddress> address(int peerRank) {
            return call.called();
        }

        @Override
        public byte[] preamble(String name) {
            return Greeting.ofStream(node, peer).encode(call.token(name));
        }

        @Override
        public Reception receive(String name, Consumer<SocketChannel> receiver) {
            return guests.expect(call.token(name), receiver);
        }
    }

    /** A link that gives up gives up this connection, not the node. */
    @Override
    public void abort(int status, String reason) {
        call.close();
    }

    @Override
    public void close() {
        call.close();
    }
}
