package org.galerna.link.verbs.connecting;

import java.lang.foreign.MemorySegment;
import org.galerna.link.Link;
import org.galerna.link.support.ControlOutbox;
import org.galerna.link.support.LinkManager;
import org.galerna.link.support.Membership;
import org.galerna.link.support.ProtocolException;
import org.galerna.link.verbs.adapter.Attachment;
import org.galerna.link.verbs.connection.Connection;
import org.galerna.link.verbs.connection.Connections;
import org.galerna.link.verbs.wire.ControlMessage;
import org.galerna.nativeaccess.file.DescriptorWait;
import org.galerna.nativeaccess.verbs.AsyncEvent;
import org.galerna.nativeaccess.verbs.ConnectionEvent;
import org.galerna.nativeaccess.verbs.QueuePair;
import org.galerna.nativeaccess.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

/**
 * Makes the connections of a link and notices their ends, on a thread of its own, as in Ibdxnet (Nothaas et al., 2018,
 * 7.1): whoever wants to talk leaves a job in a queue and goes on, so that the way of a message has no lock for it, and any
 * number of threads that want the same connection get one. The control link says who leaves and who is lost.
 */
public final class ConnectionManager extends LinkManager implements CmEvents.Listener, CmConnector.Owner {
    /** How often a connection is tried to be made. */
    private static final int TRIALS = 5;

    private final Owner owner;
    private final Connections connections;
    private final int rank;
    private final Attachment attachment;
    private final Directory directory;
    private final Membership membership;
    private final QueuePairSetup setup;
    private final @Nullable CmConnector connector;
    private final CmEvents events;

    // of the thread
    private final ControlOutbox outbox;

    /** The link that connections are made for. Told on the thread of the manager, but for {@link #fatal}. */
    public interface Owner {
        /** Whether this rank has left. */
        boolean isStopped();

        /** Something has changed that a waiting thread may care for. */
        void wakeUp();

        /** A peer wants this rank to look at what has come for it. */
        void roused();

        /** Nothing works any more; any thread. */
        void fatal(String reason);

        /**
         * Once in a while, for a rank that does not poll.
         *
         * @return whether something was sent, so that more may follow soon
         */
        boolean tick();
    }

    public ConnectionManager(
            String name,
            Owner owner,
            int rank,
            Connections connections,
            Attachment attachment,
            Directory directory,
            Membership membership,
            QueuePairSetup setup,
            Link control,
            @Nullable CmConnector connector,
            DescriptorWait eventWait) {
        super(name, control);
        this.owner = owner;
        this.connections = connections;
        this.rank = rank;
        this.attachment = attachment;
        this.directory = directory;
        this.membership = membership;
        this.setup = setup;
        this.outbox = new ControlOutbox(control, this::lost, () -> true, owner::wakeUp);
        this.connector = connector;
        this.events = new CmEvents(
                name, attachment.adapter(), connector == null ? null : connector.events(), eventWait, this);
        if (connector != null) {
            connector.serve(this);
        }
    }

    @Override
    public void start() {
        events.start();
        super.start();
    }

    // ---- jobs, from any thread

    /** Wants a connection. */
    public void connect(Connection connection) {
        tell(() -> begin(connection));
    }

    @Override
    public void lose(int peer, String reason) {
        tell(() -> suspect(peer, reason));
    }

    /** The adapter does not work any more. */
    public void loseAll(String reason) {
        tell(() -> {
            for (int peer = 0; peer < directory.size(); peer++) {
                lost(peer, reason);
            }
        });
    }

    @Override
    public void rouse(int peer) {
        tell(() -> outbox.send(peer, ControlMessage.of(ControlMessage.ROUSE)));
    }

    @Override
    public void leave() {
        tell(this::sayGoodbye);
    }

    @Override
    public boolean hasLeft() {
        return outbox.isClosed();
    }

    @Override
    public void onConnection(ConnectionEvent event) {
        tell(() -> {
            if (connector != null) {
                connector.onEvent(event);
            }
        });
    }

    @Override
    public void onAdapter(AsyncEvent event) {
        if (event.isQueuePairError()) {
            Connection connection = connections.at(event.element());
            if (connection != null) {
                tell(() -> queuePairFailed(connection, event.description()));
            }
        } else if (event.isFatal()) {
            owner.fatal("adapter " + attachment.adapter().name() + ": " + event.description());
        }
    }

    private void queuePairFailed(Connection connection, String description) {
        if (connector == null || connection.isUp()) { // otherwise the trial to connect has failed, which RDMA CM says
            suspect(connection.peer(), "its queue pair has failed: " + description);
        }
    }

    // ---- the thread

    @Override
    protected boolean manage() {
        outbox.flush();
        suspicions.confirm(this::hasSentAll, this::lost);
        return owner.tick();
    }

    // ---- control messages

    @Override
    public void onFrame(int peer, MemorySegment memory, long offset, int length) {
        try {
            handle(peer, ControlMessage.read(memory, offset, length));
        } catch (ProtocolException wrong) {
            lost(peer, "it does not keep to the protocol: " + wrong.getMessage());
        } catch (VerbsException | IllegalStateException failed) {
            lost(peer, "no connection to it can be made: " + failed.getMessage());
        }
    }

    @Override
    public void onPeerLost(int peer, String reason) {
        suspicions.remove(peer);
        if (membership.leave(peer, reason)) {
            owner.wakeUp();
        }
    }

    private void handle(int peer, ControlMessage message) throws VerbsException, ProtocolException {
        if (message.kind() == ControlMessage.LEAVING) {
            membership.announce(peer, message.messages());
            return;
        }
        if (message.kind() == ControlMessage.LOST) {
            suspect(peer, "it has lost the connection to this rank");
            return;
        }
        if (message.kind() == ControlMessage.ROUSE) {
            owner.roused();
            return;
        }
        if (owner.isStopped() || membership.isGone(peer)) {
            return;
        }
        Connection connection = connections.to(peer);
        boolean lower = rank < peer;
        if (lower != (message.kind() == ControlMessage.WANT || message.kind() == ControlMessage.INVITE)) {
            throw new ProtocolException("a control message of kind " + message.kind() + ", which is not its part");
        }
        switch (message.kind()) {
            case ControlMessage.WANT -> begin(connection);
            case ControlMessage.CALL -> called(connection, message);
            case ControlMessage.INVITE -> invited(connection, message);
            default -> connection.up();
        }
    }

    // ---- connecting

    private void begin(Connection connection) {
        int peer = connection.peer();
        if (connection.state() != Connection.State.IDLE || owner.isStopped() || membership.isGone(peer)) {
            return;
        }
        connection.connecting();
        if (rank > peer) {
            outbox.send(peer, ControlMessage.of(ControlMessage.WANT));
            return;
        }
        call(connection);
    }

    private void call(Connection connection) {
        int peer = connection.peer();
        try {
            QueuePair pair = connector == null ? setup.initialized(connection) : null;
            outbox.send(
                    peer,
                    new ControlMessage(ControlMessage.CALL, setup.info(pair), new byte[ControlMessage.TOKEN_BYTES], 0));
        } catch (VerbsException | IllegalStateException failed) {
            lost(peer, "no connection to it can be made: " + failed.getMessage());
        }
    }

    private void called(Connection connection, ControlMessage call) throws VerbsException, ProtocolException {
        if (connection.isUp()) {
            throw new ProtocolException("it calls, and has said that the connection is ready");
        }
        if (connection.pair() != null) {
            startAgain(connection);
        }
        setup.check(call.info());
        connection.connecting();
        connection.inform(call.info());
        QueuePair pair = null;
        byte[] token = new byte[ControlMessage.TOKEN_BYTES];
        if (connector != null) {
            connection.prepare();
            token = connector.invite(connection);
        } else {
            pair = setup.initialized(connection);
            setup.join(pair, call.info());
        }
        outbox.send(connection.peer(), new ControlMessage(ControlMessage.INVITE, setup.info(pair), token, 0));
    }

    private void invited(Connection connection, ControlMessage invitation) throws VerbsException {
        if (connection.state() != Connection.State.CONNECTING || connection.info() != null) {
            return;
        }
        setup.check(invitation.info());
        connection.inform(invitation.info());
        if (connector != null) {
            connector.connect(connection, directory.listener(connection.peer()), invitation.token());
            return;
        }
        setup.join(connection.prepare(), invitation.info());
        made(connection);
    }

    @Override
    public void made(Connection connection) {
        connection.up();
        outbox.send(connection.peer(), ControlMessage.of(ControlMessage.READY));
    }

    @Override
    public void failed(Connection connection, String reason) {
        if (connection.restarts() + 1 == TRIALS) {
            broken(connection, reason);
            return;
        }
        startAgain(connection);
        call(connection);
    }

    private void startAgain(Connection connection) {
        if (connector != null) {
            connector.forget(connection);
        }
        connection.restart();
    }

    // ---- ends

    @Override
    public void broken(Connection connection, String reason) {
        suspect(connection.peer(), reason);
    }

    private void suspect(int peer, String reason) {
        if (!membership.isGone(peer)) {
            suspicions.add(peer, reason);
        }
    }

    private boolean hasSentAll(int peer) {
        Connection connection = connections.find(peer);
        return membership.hasSentAll(peer, connection == null ? 0 : connection.received());
    }

    private void lost(int peer, String reason) {
        Connection connection = connections.find(peer);
        boolean knowsThisRank = connection != null && connection.state() != Connection.State.IDLE;
        if (membership.lose(peer, reason)) {
            owner.wakeUp();
            if (knowsThisRank) {
                outbox.sendLater(peer, ControlMessage.of(ControlMessage.LOST));
            }
        }
    }

    /** A peer was reported lost: nothing of it is left but what the connection manager knows. */
    public void forget(Connection connection) {
        tell(() -> {
            if (connector != null) {
                connector.forget(connection);
            }
        });
    }

    private void sayGoodbye() {
        if (outbox.leave(_ -> true)) {
            for (Connection each : connections.all()) {
                if (!membership.isGone(each.peer()) && each.state() != Connection.State.IDLE) {
                    outbox.add(each.peer(), ControlMessage.leaving(each.sends().messages()));
                }
            }
            outbox.flush();
        }
    }

    @Override
    protected void end() {
        events.close();
        super.end();
    }
}
