package org.galerna.sockets.network;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What names a TCP connection to both of its ends, if nobody translates addresses between them.
 *
 * @param from address and port of the end that has connected
 * @param to of the end that has accepted
 */
public record Ends(Place from, Place to) {
    /** Bytes of its written form. */
    public static final int BYTES = 2 * Place.BYTES;

    private static final int IPV4_BYTES = 4;

    /** An address, without the interface that one of a link has behind it, and a port. */
    public record Place(InetAddress address, int port) {
        private static final int ADDRESS_BYTES = 16;
        private static final int BYTES = Integer.BYTES + Integer.BYTES + ADDRESS_BYTES;

        static Place of(InetSocketAddress socket) {
            try {
                return new Place(InetAddress.getByAddress(socket.getAddress().getAddress()), socket.getPort());
            } catch (UnknownHostException impossible) {
                throw new IllegalStateException(impossible);
            }
        }

        private void write(ByteBuffer target) {
            byte[] bytes = address.getAddress();
            target.putInt(port).putInt(bytes.length).put(Arrays.copyOf(bytes, ADDRESS_BYTES));
        }

        private static @Nullable Place read(ByteBuffer source) {
            int port = source.getInt();
            int length = source.getInt();
            byte[] bytes = new byte[ADDRESS_BYTES];
            source.get(bytes);
            if (port < 0 || port > 0xffff || (length != IPV4_BYTES && length != ADDRESS_BYTES)) {
                return null;
            }
            try {
                return new Place(InetAddress.getByAddress(Arrays.copyOf(bytes, length)), port);
            } catch (UnknownHostException impossible) {
                throw new IllegalStateException(impossible);
            }
        }
    }

    public static Ends of(InetSocketAddress from, InetSocketAddress to) {
        return new Ends(Place.of(from), Place.of(to));
    }

    public void write(ByteBuffer target) {
        from.write(target);
        to.write(target);
    }

    /** What {@link #write} has written; null if it is nothing of the kind. */
    public static @Nullable Ends read(ByteBuffer source) {
        Place from = Place.read(source);
        Place to = Place.read(source);
        return from == null || to == null ? null : new Ends(from, to);
    }
}
