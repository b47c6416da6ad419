package org.galerna.link.tcp.network;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.galerna.link.Wireup;

/** A family of sockets: where a rank listens, and how others find it. */
public interface Network {
    /** Connections that may wait to be accepted. */
    int BACKLOG = 1024;

    /** Why this machine cannot use it; empty if it can. */
    Optional<String> unavailable();

    /** The network as the ranks of a job use it: by the entrance of whatever has started the job, if it has one. */
    default Network within(Wireup wireup) {
        return this;
    }

    /** Begins to listen. */
    Listening listen(Wireup wireup) throws IOException;

    /** Whether it is for two processes alone, so that there may be many of them, of one connection each. */
    default boolean isForPair() {
        return false;
    }

    /** Whether this rank cannot call the peer, and waits for its call. */
    default boolean isCalledBy(int peer) {
        return false;
    }

    /**
     * What an outgoing connection begins with, before anything else.
     *
     * @param name of the attachment, the same on both sides
     */
    default byte[] preamble(String name) {
        return new byte[0];
    }

    /**
     * Where to try to connect to, the best first.
     *
     * @param own address of this rank, as {@link Listening#address} gives it
     * @param other address of the peer
     * @throws IllegalArgumentException if that is no address
     */
    List<SocketAddress> candidates(Address own, Address other);

    /**
     * Whether all ranks of the same host, in the same {@linkplain Address#place place}, have {@link #candidates} to reach this one.
     *
     * @param own address of this rank, as {@link Listening#address} gives it
     */
    default boolean isReachedFromHost(Address own) {
        return false;
    }

    /** A socket that does not block, set up for messages. */
    SocketChannel open(SocketAddress target) throws IOException;

    /** Sets up a socket that was accepted. */
    void configure(SocketChannel accepted) throws IOException;

    /** Sets up a socket whose handshake is complete, for what follows. */
    default void use(SocketChannel connected) throws IOException {
        // as it is
    }

    /** What a rank has when it listens. */
    interface Listening {
        /** The sockets; none of them blocks. */
        List<ServerSocketChannel> listeners();

        /** What peers need to know. */
        Address address();

        /** Stops listening where nobody of the job can come from, once it is known that all ranks are on this host. */
        void keepToThisHost();

        /**
         * Hands over channels that others have accepted.
         *
         * @param name of the attachment, the same on both sides
         * @param receiver takes a channel; called by any thread
         */
        default void receive(String name, Consumer<SocketChannel> receiver) {
            // all come by the listeners
        }

        /** Stops listening. */
        void close();
    }
}
