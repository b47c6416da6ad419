package org.galerna.link.verbs.connecting;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.galerna.link.verbs.adapter.Attachment;
import org.galerna.link.verbs.adapter.VerbsOptions;
import org.galerna.link.verbs.connection.Connection;
import org.galerna.link.verbs.wire.ControlMessage;
import org.galerna.nativeaccess.verbs.ConnectionEvent;
import org.galerna.nativeaccess.verbs.ConnectionEvents;
import org.galerna.nativeaccess.verbs.ConnectionId;
import org.galerna.nativeaccess.verbs.QueuePair;
import org.galerna.nativeaccess.verbs.RdmaCm;
import org.galerna.nativeaccess.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

/**
 * Connects queue pairs by RDMA CM. Who connects shows a token that the listening rank has given it through the control
 * link, so nobody else gets in. The {@link ConnectionManager}'s thread, but for {@link #openIfWanted}.
 */
public final class CmConnector implements AutoCloseable {
    private static final int BACKLOG = 128;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Attachment attachment;
    private final ConnectionEvents events;
    private final ConnectionId listener;
    private final InetSocketAddress address;
    private final Map<String, Connection> invited = new HashMap<>(); // by token
    private final Map<Long, Attempt> attempts = new HashMap<>(); // by handle
    private @Nullable Owner owner; // set before the first event

    /** Whom the connections are made for; told on the thread that does everything here. */
    interface Owner {
        /** What this rank has begun has succeeded; the peer is to be told. */
        void made(Connection connection);

        /** What this rank has begun has failed; another trial may do better, once {@link #forget} was called. */
        void failed(Connection connection, String reason);

        /** A connection is over, or can never be made. */
        void broken(Connection connection, String reason);
    }

    /**
     * One end of a connection.
     *
     * @param to where the peer listens; null if it is the one that connects
     * @param token what it is shown
     * @param since events up to this number are another end's
     */
    @SuppressWarnings("ArrayRecordComponent") // compared by nobody
    private record Attempt(
            ConnectionId id,
            Connection connection,
            @Nullable InetSocketAddress to,
            byte[] token,
            long since) {}

    private CmConnector(
            Attachment attachment, ConnectionEvents events, ConnectionId listener, InetSocketAddress address) {
        this.attachment = attachment;
        this.events = events;
        this.listener = listener;
        this.address = address;
    }

    /**
     * Listens at an address of the adapter, if that is wanted and possible; closed with the attachment.
     *
     * @return null if queue pairs are to be connected by exchange
     * @throws VerbsException if RDMA CM cannot be used
     * @throws IllegalStateException if nothing else will do, and the adapter has no address
     */
    public static @Nullable CmConnector openIfWanted(Attachment attachment, VerbsOptions.Connect wanted)
            throws VerbsException {
        if (wanted == VerbsOptions.Connect.EXCHANGE) {
            return null;
        }
        Optional<String> obstacle = RdmaCm.unavailable();
        if (obstacle.isEmpty()) {
            try {
                return attachment.keep(open(attachment));
            } catch (IllegalStateException noAddress) {
                obstacle = Optional.of(String.valueOf(noAddress.getMessage()));
            }
        }
        if (wanted == VerbsOptions.Connect.RDMACM || attachment.adapter().isIwarp()) {
            throw new IllegalStateException(obstacle.get());
        }
        return null;
    }

    /**
     * Listens at an address of the adapter.
     *
     * @throws VerbsException if RDMA CM cannot be used
     * @throws IllegalStateException if the adapter has no address
     */
    private static CmConnector open(Attachment attachment) throws VerbsException {
        ConnectionEvents events = RdmaCm.open().newEvents();
        try {
            for (InetAddress candidate : candidates(attachment)) {
                Optional<CmConnector> connector = listen(attachment, events, candidate);
                if (connector.isPresent()) {
                    return connector.get();
                }
            }
            throw new IllegalStateException("adapter " + attachment.adapter().name()
                    + " has no IP address to connect by; on InfiniBand, its IPoIB interface needs one");
        } catch (VerbsException | RuntimeException failed) {
            events.close();
            throw failed;
        }
    }

    private static Optional<CmConnector> listen(Attachment attachment, ConnectionEvents events, InetAddress candidate)
            throws VerbsException {
        ConnectionId id = events.newId();
        try {
            id.bind(new InetSocketAddress(candidate, 0));
            if (id.adapter().filter(attachment.adapter().name()::equals).isPresent()) {
                id.listen(BACKLOG);
                return Optional.of(
                        new CmConnector(attachment, events, id, new InetSocketAddress(candidate, id.port())));
            }
        } catch (VerbsException notThisOne) {
            // an address that is no adapter's
        }
        id.close();
        return Optional.empty();
    }

    /** The address that the GID stands for, then all others of this host. */
    private static List<InetAddress> candidates(Attachment attachment) {
        List<InetAddress> candidates = new ArrayList<>();
        if (attachment.choice().gid() != null) {
            attachment.choice().gid().ipv4().ifPresent(candidates::add);
        }
        try {
            NetworkInterface.networkInterfaces()
                    .flatMap(NetworkInterface::inetAddresses)
                    .filter(each -> !each.isLoopbackAddress() && !candidates.contains(each))
                    .forEach(candidates::add);
        } catch (SocketException unknown) {
            // that of the GID remains
        }
        return candidates;
    }

    /** Where this rank listens. */
    public InetSocketAddress address() {
        return address;
    }

    public ConnectionEvents events() {
        return events;
    }

    /** Says whom to tell what becomes of connections; before there can be any. */
    void serve(Owner served) {
        owner = served;
    }

    private Owner owner() {
        return Objects.requireNonNull(owner);
    }

    /** What a peer is to show when it connects. */
    byte[] invite(Connection connection) {
        byte[] token = new byte[ControlMessage.TOKEN_BYTES];
        RANDOM.nextBytes(token);
        invited.put(HexFormat.of().formatHex(token), connection);
        return token;
    }

    /** Begins to connect to a peer that has given a token. */
    void connect(Connection connection, InetSocketAddress to, byte[] token) throws VerbsException {
        ConnectionId id = events.newId();
        attempts.put(id.handle(), new Attempt(id, connection, to, token, events.taken()));
        if (attachment.trafficClass() != 0) {
            id.typeOfService(attachment.trafficClass());
        }
        setAckTimeout(id);
        id.resolveAddress(new InetSocketAddress(address.getAddress(), 0), to);
    }

    private void setAckTimeout(ConnectionId id) throws VerbsException {
        if (attachment.ackTimeout() != 0 && !attachment.adapter().isIwarp()) { // there TCP acknowledges
            id.ackTimeout(attachment.ackTimeout());
        }
    }

    /** Something has happened. */
    void onEvent(ConnectionEvent event) {
        if (event.kind() == ConnectionEvent.Kind.REQUEST) {
            requested(event);
            return;
        }
        Attempt attempt = attempts.get(event.id());
        if (attempt == null || event.number() <= attempt.since || attempt.connection.state() == Connection.State.GONE) {
            return; // it is forgotten, or about to be
        }
        try {
            proceed(attempt, event);
        } catch (VerbsException | IllegalStateException failed) {
            owner().broken(attempt.connection, String.valueOf(failed.getMessage()));
        }
    }

    private void requested(ConnectionEvent event) {
        ConnectionId id = events.requested(event);
        Connection connection = event.privateData().length < ControlMessage.TOKEN_BYTES
                ? null
                : invited.remove(HexFormat.of().formatHex(event.privateData(), 0, ControlMessage.TOKEN_BYTES));
        if (connection == null || connection.state() == Connection.State.GONE) {
            id.reject();
            id.close();
            return;
        }
        attempts.put(id.handle(), new Attempt(id, connection, null, new byte[0], event.number()));
        try {
            QueuePair pair = connection.prepare();
            setAckTimeout(id);
            id.prepare(pair, ConnectionId.State.INIT);
            if (!attachment.adapter().isIwarp()) { // there the kernel goes on
                id.prepare(pair, ConnectionId.State.RTR);
                id.prepare(pair, ConnectionId.State.RTS);
            }
            id.accept(pair, new byte[0], attachment.reads());
        } catch (VerbsException | IllegalStateException failed) {
            id.reject();
            owner().broken(connection, String.valueOf(failed.getMessage()));
        }
    }

    private void proceed(Attempt attempt, ConnectionEvent event) throws VerbsException {
        switch (event.kind()) {
            case ADDRESS_RESOLVED -> attempt.id.resolveRoute();
            case ROUTE_RESOLVED -> {
                QueuePair pair = attempt.connection.prepare();
                attempt.id.prepare(pair, ConnectionId.State.INIT);
                attempt.id.connect(pair, Arrays.copyOf(attempt.token, attempt.token.length), attachment.reads());
            }
            case RESPONSE -> {
                QueuePair pair = attempt.connection.prepare();
                attempt.id.prepare(pair, ConnectionId.State.RTR);
                attempt.id.prepare(pair, ConnectionId.State.RTS);
                attempt.id.establish();
                owner().made(attempt.connection);
            }
            case ESTABLISHED -> {
                if (attempt.to != null) { // otherwise the peer may not have heard of it, and says so when it has
                    owner().made(attempt.connection);
                }
            }
            case ADDRESS_ERROR, ROUTE_ERROR, UNREACHABLE, CONNECT_ERROR ->
                ended(
                        attempt,
                        "RDMA CM cannot connect to it at " + attempt.to + ": " + event.description() + " ("
                                + VerbsException.describe(Math.abs(event.status())) + ")");
            case REJECTED -> ended(attempt, "it has refused the connection (" + event.status() + ")");
            // the queue pair goes on: the adapter may still be busy with what came before that end
            case DISCONNECTED, DEVICE_REMOVAL -> ended(attempt, "its end of the connection is closed");
            default -> {
                // of no importance to a connection
            }
        }
    }

    private void ended(Attempt attempt, String reason) {
        if (attempt.connection.isUp()) {
            owner().broken(attempt.connection, reason);
        } else if (attempt.to != null) {
            owner().failed(attempt.connection, reason);
        } // otherwise the peer calls again, if it is still there
    }

    /** A connection is over, or its making is given up. */
    void forget(Connection connection) {
        attempts.values().removeIf(attempt -> {
            if (attempt.connection != connection) {
                return false;
            }
            attempt.id.disconnect();
            attempt.id.close();
            return true;
        });
        invited.values().removeIf(each -> each == connection);
    }

    /** Ends everything; nobody waits for its events any more. */
    @Override
    public void close() {
        for (Attempt attempt : attempts.values()) {
            attempt.id.disconnect();
            attempt.id.close();
        }
        attempts.clear();
        listener.close();
        events.close();
    }
}
