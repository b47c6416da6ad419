package org.galerna.link.tcp.connecting;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.galerna.link.tcp.network.Network;
import org.galerna.link.tcp.wire.Closing;

/** Lets connections in, at sockets of its own or by an entrance. The manager's thread's, but for {@link #arrivals}. */
public final class Acceptor {
    private static final int LEAST_ARRIVALS = 256;

    private final ConnectionManager manager;
    private final Network.Listening listening;
    private final Refusals refusals;
    private final Handshakes handshakes;
    private final Queue<SocketChannel> arrivals = new ConcurrentLinkedQueue<>(); // by an entrance
    private State state = State.ACCEPTING;
    private boolean expected; // what is needed to answer those who come by an entrance is known

    /** Whether connections are taken out of the system's queues. */
    private enum State {
        ACCEPTING,

        /** The system has no room for one more; tried again at the next look. */
        PAUSED
    }

    public Acceptor(ConnectionManager manager, Network.Listening listening, Refusals refusals, Handshakes handshakes) {
        this.manager = manager;
        this.listening = listening;
        this.refusals = refusals;
        this.handshakes = handshakes;
    }

    /** Begins to listen. */
    void open() throws IOException {
        for (ServerSocketChannel listener : listening.listeners()) {
            listener.register(manager.selector(), SelectionKey.OP_ACCEPT, new Listener(listener));
        }
    }

    /** Stops listening where no rank of the job can come from. */
    void keepToThisHost() {
        listening.keepToThisHost();
    }

    void close() {
        listening.close();
        arrivals.forEach(Closing::quietly); // there will be no more
    }

    private final class Listener implements ManagerThread.Watcher {
        private final ServerSocketChannel listener;

        Listener(ServerSocketChannel listener) {
            this.listener = listener;
        }

        @Override
        public ConnectionManager manager() {
            return manager;
        }

        @Override
        public void ready(SelectionKey key) {
            accept(listener, key);
        }
    }

    private void accept(ServerSocketChannel listener, SelectionKey key) {
        for (int accepted = 0; accepted < Network.BACKLOG; accepted++) {
            SocketChannel channel;
            try {
                channel = listener.accept();
            } catch (IOException failed) { // no file descriptors left, most likely
                refusals.add(Refusals.Kind.NOT_ACCEPTED, String.valueOf(failed.getMessage()));
                key.interestOps(0);
                state = State.PAUSED;
                return;
            }
            if (channel == null) {
                return;
            }
            handshakes.greet(channel);
        }
    }

    boolean isPaused() {
        return state == State.PAUSED;
    }

    /** Accepts again. */
    void resume() {
        if (state == State.PAUSED) {
            state = State.ACCEPTING;
            for (ServerSocketChannel listener : listening.listeners()) {
                SelectionKey key = listener.keyFor(manager.selector());
                if (key != null && key.isValid()) {
                    key.interestOps(SelectionKey.OP_ACCEPT);
                }
            }
        }
    }

    // ---- by an entrance

    /** Channels that nobody has looked at yet; any thread. */
    int waitingArrivals() {
        return arrivals.size();
    }

    /** One has come; any thread. */
    void arrive(SocketChannel channel) {
        arrivals.add(channel);
        manager.tell(this::greetArrivals);
    }

    /** From now on what the wire-up says is known, which nobody waits for here. */
    void expectArrivals() {
        expected = true;
        greetArrivals();
    }

    /** Those that come earlier than they can be answered are greeted later, unless there are too many. */
    private void greetArrivals() {
        SocketChannel channel;
        while ((expected || arrivals.size() > LEAST_ARRIVALS) && (channel = arrivals.poll()) != null) {
            if (expected) {
                handshakes.greet(channel);
            } else {
                Closing.quietly(channel);
                refusals.add(Refusals.Kind.TOO_MANY, "too many come before they are expected");
            }
        }
    }
}
