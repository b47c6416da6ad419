package org.galerna.messaging.peers;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.galerna.link.CommunicationException;
import org.galerna.link.pair.NoLinkException;
import org.galerna.messaging.MessagingException;
import org.galerna.messaging.NodeConfig;
import org.galerna.messaging.handshake.ClusterKeys;
import org.galerna.messaging.handshake.Directory;
import org.galerna.messaging.handshake.Greeting;
import org.galerna.messaging.handshake.SecureCall;
import org.galerna.messaging.support.TimeLimit;

/** Calls other nodes, again and again until they answer. Any number of threads. */
final class Caller {
    private static final long RETRY_NANOS = 20_000_000;

    /** Between attempts that fail because no link connects the two, which costs both of them much work. */
    private static final long LONGEST_RETRY_NANOS = 500_000_000;

    private final NodeConfig config;
    private final ClusterKeys keys;
    private final long incarnation;
    private final Directory directory;
    private final Discovery discovery;
    private final Meeting meeting;

    /** What follows a call that was accepted. */
    @FunctionalInterface
    interface Meeting {
        /** Makes a connection of it. */
        void meet(SecureCall call, int node);
    }

    /**
     * A caller.
     *
     * @param incarnation of this node
     * @param directory where the other nodes are at present
     * @param discovery hurries when one is not there
     */
    Caller(
            NodeConfig config,
            ClusterKeys keys,
            long incarnation,
            Directory directory,
            Discovery discovery,
            Meeting meeting) {
        this.config = config;
        this.keys = keys;
        this.incarnation = incarnation;
        this.directory = directory;
        this.discovery = discovery;
        this.meeting = meeting;
    }

    /**
     * Calls a node until it has answered or the time is over that the configuration gives.
     *
     * @param ended whether there is no need any more
     * @throws MessagingException if it does not answer, or never will
     */
    void call(int node, BooleanSupplier ended) {
        long deadline = TimeLimit.deadline(config.connectTimeout());
        String obstacle = "it has not answered";
        boolean known = true;
        long pause = RETRY_NANOS; // longer while the two meet and no link connects them, which says more than all else
        while (!ended.getAsBoolean()) {
            InetSocketAddress address = directory.address(node); // it may come back at another one
            if (System.nanoTime() - deadline > 0) {
                throw new MessagingException(
                        known ? MessagingException.Reason.UNREACHABLE : MessagingException.Reason.UNKNOWN_HOST,
                        "node " + node + (address == null ? "" : " at " + address) + " cannot be reached within "
                                + TimeLimit.text(config.connectTimeout()) + ": " + obstacle);
            }
            try {
                known = true;
                String found = address == null
                        ? "none of the seeds " + config.seeds() + " knows where it is"
                        : attempt(node, Directory.resolved(address), deadline, obstacle);
                obstacle = pause > RETRY_NANOS ? obstacle : found;
            } catch (SecureCall.WrongKeyException stranger) {
                throw new MessagingException(
                        MessagingException.Reason.WRONG_KEY,
                        "node " + node + " at " + address + " does not know the key of this cluster",
                        stranger);
            } catch (Greeting.VersionException other) {
                throw new MessagingException(
                        MessagingException.Reason.INCOMPATIBLE,
                        "node " + node + " at " + address + " refuses this node: " + other.getMessage(),
                        other);
            } catch (UnknownHostException unknown) {
                known = false;
                pause = RETRY_NANOS;
                obstacle = String.valueOf(unknown.getMessage());
            } catch (ConnectException nobody) {
                obstacle = String.valueOf(nobody.getMessage());
                pause = RETRY_NANOS;
            } catch (MessagingException failed) {
                throw failed;
            } catch (NoLinkException none) {
                obstacle = String.valueOf(none.getMessage());
                pause = Math.min(LONGEST_RETRY_NANOS, 2 * pause);
            } catch (IOException | CommunicationException failed) {
                obstacle = pause > RETRY_NANOS ? obstacle : String.valueOf(failed.getMessage());
            }
            if (!ended.getAsBoolean()) {
                discovery.hurry();
                LockSupport.parkNanos(this, Math.clamp(deadline - System.nanoTime(), 1, pause));
            }
        }
    }

    /** Returns what stands in the way, if anything does. */
    private String attempt(int node, InetSocketAddress address, long deadline, String before) throws IOException {
        Greeting greeting = Greeting.ofLink(config.id(), node, incarnation);
        SecureCall.Answered answered = SecureCall.dial(address, keys.current(), greeting, deadline);
        try (SecureCall call = answered.call()) {
            return switch (answered.verdict()) {
                case ACCEPTED -> {
                    meeting.meet(call, node);
                    yield before;
                }
                case LATER, CLOSING -> "it has put the call off";
                case SUPERSEDED ->
                    throw new MessagingException(
                            MessagingException.Reason.REPLACED,
                            "node " + node + " knows a node " + config.id() + " that was started after this one");
                case STRANGER -> {
                    if (!discovery.isOn()) {
                        throw new MessagingException(
                                MessagingException.Reason.UNREACHABLE, address + " is not node " + node);
                    }
                    yield "another node listens there now";
                }
            };
        }
    }
}
