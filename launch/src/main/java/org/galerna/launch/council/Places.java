package org.galerna.launch.council;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Where the processes of the job listen. Used by one thread. */
public final class Places {
    private static final int VISIT_MILLIS = 500;

    private final Map<Integer, Place> known = new HashMap<>();
    private final IntFunction<byte[]> published;

    /**
     * Nothing is known yet.
     *
     * @param published what a rank's process has published of its place
     */
    Places(IntFunction<byte[]> published) {
        this.published = published;
    }

    private Place of(int rank) {
        return known.computeIfAbsent(rank, unknown -> Place.decode(published.apply(unknown)));
    }

    /** Whether that process is on this host. */
    boolean isHere(int rank) {
        return of(rank).isHere();
    }

    /** Whether that process is on this host and has ended: nothing listens any more where it did. */
    boolean isRefused(int rank) {
        return isRefused(of(rank));
    }

    private static boolean isRefused(Place place) {
        if (!place.isHere()) {
            return false;
        }
        try (SocketChannel visit = SocketChannel.open()) {
            visit.socket().connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), place.port()), VISIT_MILLIS);
            return false;
        } catch (ConnectException refused) {
            return true;
        } catch (IOException unknown) {
            return false;
        }
    }

    /**
     * Whether a process of this host has ended. False of processes of other hosts.
     *
     * @param place what the process has published of {@link Council#place}
     * @throws IllegalArgumentException if it is something else
     */
    public static boolean hasEnded(byte[] place) {
        return isRefused(Place.decode(place));
    }

    /** A line to another process; null if there is none. */
    @Nullable
    Line call(int rank, byte[] key, int caller) {
        for (InetSocketAddress address : of(rank).sockets()) {
            try {
                return Line.call(address, key, caller);
            } catch (IOException unreachable) {
                // perhaps by another address, or later
            }
        }
        return null;
    }
}
