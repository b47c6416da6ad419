package org.galerna.link.tcp.connecting;

import java.nio.channels.SocketChannel;
import org.galerna.link.tcp.handshake.Hello;
import org.galerna.link.tcp.network.Directory;
import org.galerna.link.tcp.network.Network;
import org.galerna.link.tcp.wire.Security;
import org.galerna.link.tcp.wire.Wire;

/**
 * What the parts of a {@link ConnectionManager} work with.
 *
 * @param name of the link and its rank, for threads and logs
 * @param thread to be left when the manager is closed
 */
public record ManagerContext(
        String name,
        int rank,
        int size,
        Network network,
        Security security,
        Directory directory,
        Membership membership,
        Timing timing,
        Refusals refusals,
        ConnectionLimit limit,
        Events events,
        ManagerThread thread) {
    /** What the link wants to know; called by the manager's thread. */
    public interface Events {
        /** A connection is established. */
        void onConnected(int peer, SocketChannel channel, Wire wire);

        /** A peer cannot be reached. */
        void onLost(int peer, String reason);

        /** A peer does not answer, while its system has let a connection in. */
        void onSuspected(int peer, long nanos);

        /** Something has changed for those who wait. */
        void onNews();

        /** A peer wants this rank to look at what has come for it. */
        void onRouse();

        /** A peer was told what it was called for, or cannot be reached. */
        void onTold(int peer, int purpose, int subject, boolean reached);

        /** A peer has said something that concerns all ranks of this process. */
        void onNewsOf(Hello hello);

        /** There are as many connections as there may be, and one more is wanted. */
        void onRoomWanted();

        /** It is time for what is to be done once in a while. */
        void onPulse();
    }
}
