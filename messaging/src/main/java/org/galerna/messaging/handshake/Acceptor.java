package org.galerna.messaging.handshake;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.galerna.messaging.support.FailureLog;
import org.jspecify.annotations.Nullable;

/**
 * Where other nodes call this one. Each caller is answered by a virtual thread of its own, so that one who says nothing
 * delays nobody. There is a limit to how many may be unproved at once. Beyond it the oldest is turned away: of those that
 * have said nothing, if there are any, and of all otherwise. Nodes say at once who they are, so that silent strangers turn
 * each other away. A caller that has proved the key is never turned away.
 */
public final class Acceptor implements AutoCloseable {
    static final int MOST_UNPROVED = 256;

    /** Callers at once, those that have proved the key among them: more than a cluster that starts all at once has. */
    static final int MOST_CALLERS = 4096;

    /** Callers that wait to be let in: one more than that is let in a second later at the earliest. */
    private static final int BACKLOG = 1024;

    private static final Duration ACCEPT_PAUSE = Duration.ofMillis(20);
    private static final Duration MOST_PATIENCE = Duration.ofSeconds(1);

    /** Answers callers. */
    @FunctionalInterface
    public interface Host {
        /**
         * Answers a caller, on a thread of its own.
         *
         * @return whether the channel has been handed on; otherwise it is closed
         * @throws IOException if the caller is none of the cluster
         */
        boolean answer(Visitor visitor) throws IOException;
    }

    /** A caller. Used by the thread that answers. */
    public final class Visitor {
        private final SocketChannel channel;

        private Visitor(SocketChannel channel) {
            this.channel = channel;
        }

        /** The connection. */
        public SocketChannel channel() {
            return channel;
        }

        /** It has said who it is. */
        public void heard() {
            synchronized (callers) {
                if (silent.remove(this)) {
                    unproved.add(this);
                }
            }
        }

        /** It has proved that it belongs here. Returns false if it was turned away just before. */
        public boolean proved() {
            synchronized (callers) {
                return silent.remove(this) || unproved.remove(this);
            }
        }
    }

    private final ServerSocketChannel listener;
    private final InetSocketAddress address;
    private final Host host;
    private final FailureLog failures;
    private final int most;
    private final Thread acceptor;
    private final Set<Visitor> callers = new HashSet<>(); // guarded by itself, as the two below
    private final Set<Visitor> silent = new LinkedHashSet<>(); // the oldest first
    private final Set<Visitor> unproved = new LinkedHashSet<>(); // that have said something
    private final AtomicLong refused = new AtomicLong();

    /**
     * Listens.
     *
     * @param failures hears of what goes wrong here, and not of callers that are none of the cluster
     * @throws IOException if the address is taken, or none of this host
     */
    public Acceptor(String name, InetSocketAddress address, FailureLog failures, Host host) throws IOException {
        this(name, address, MOST_CALLERS, failures, host);
    }

    Acceptor(String name, InetSocketAddress address, int most, FailureLog failures, Host host) throws IOException {
        this.most = most;
        this.failures = failures;
        this.host = host;
        this.listener = ServerSocketChannel.open();
        try {
            listener.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            listener.bind(address, BACKLOG);
            this.address = (InetSocketAddress) listener.getLocalAddress();
        } catch (IOException failed) {
            listener.close();
            throw new IOException("cannot listen at " + address + ": " + failed.getMessage(), failed);
        } catch (UnresolvedAddressException unknown) {
            listener.close();
            throw new IOException(
                    "cannot listen at " + address.getHostString() + ":" + address.getPort() + ": the host is not known",
                    unknown);
        }
        this.acceptor = Thread.ofVirtual().name(name).unstarted(this::run);
    }

    /** Lets callers in. */
    public void open() {
        acceptor.start();
    }

    /** Where it listens; with the port that the system has chosen if none was given. */
    public InetSocketAddress address() {
        return address;
    }

    /** Callers that did not belong to the cluster. */
    public long refused() {
        return refused.get();
    }

    /** Callers at the moment that have said who they are and have not proved it. */
    int heard() {
        synchronized (callers) {
            return unproved.size();
        }
    }

    private void run() {
        boolean failing = false;
        while (listener.isOpen()) {
            try {
                letIn(listener.accept());
                failing = false;
            } catch (Throwable failed) { // closed, or no file descriptors, memory or threads left: later there may be
                if (listener.isOpen()) {
                    if (!failing) {
                        failures.report(() -> "a caller could not be let in", failed);
                        failing = true;
                    }
                    LockSupport.parkNanos(this, ACCEPT_PAUSE.toNanos());
                }
            }
        }
    }

    private void letIn(SocketChannel channel) {
        Visitor visitor = new Visitor(channel);
        if (isFull()) {
            refused.incrementAndGet();
            close(channel);
            return;
        }
        Visitor turnedAway = admit(visitor);
        try {
            Thread ignored =
                    Thread.ofVirtual().name(acceptor.getName() + "-caller").start(() -> greet(visitor));
        } catch (Throwable noThread) {
            leave(visitor, false);
            throw noThread;
        } finally {
            if (turnedAway != null) {
                close(turnedAway.channel); // its thread ends, and counts it
            }
        }
        if (turnedAway != null) {
            Thread.yield(); // to those that are about to hear what somebody says
        }
    }

    private boolean isFull() {
        synchronized (callers) {
            return callers.size() >= most;
        }
    }

    /** Returns the caller that has to go for it. */
    private @Nullable Visitor admit(Visitor visitor) {
        synchronized (callers) {
            Visitor oldest = null;
            if (silent.size() + unproved.size() >= MOST_UNPROVED) {
                Iterator<Visitor> all = (silent.isEmpty() ? unproved : silent).iterator();
                oldest = all.next();
                all.remove();
            }
            callers.add(visitor);
            silent.add(visitor);
            return oldest;
        }
    }

    private void greet(Visitor visitor) {
        boolean handedOn = false;
        try {
            handedOn = host.answer(visitor);
        } catch (IOException stranger) {
            refused.incrementAndGet();
        } catch (Throwable failed) { // it calls again
            failures.report(() -> "a caller could not be answered", failed);
        } finally {
            leave(visitor, handedOn);
        }
    }

    private void leave(Visitor visitor, boolean handedOn) {
        synchronized (callers) {
            callers.remove(visitor);
            silent.remove(visitor);
            unproved.remove(visitor);
        }
        if (!handedOn) {
            close(visitor.channel);
        }
    }

    private static void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException closedAnyway) {
            // nothing of it is used any more
        }
    }

    /** Lets nobody in any more. The address is free when this returns, unless virtual threads get no processor. */
    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException closedAnyway) {
            // nobody is let in any more
        }
        List<Visitor> all;
        synchronized (callers) {
            all = List.copyOf(callers);
        }
        all.forEach(each -> close(each.channel)); // their threads end
        awaitAcceptor();
    }

    /** A socket that a virtual thread waits at is closed by that thread, which first has to get a processor. */
    private void awaitAcceptor() {
        if (acceptor.getState() == Thread.State.NEW) {
            return;
        }
        try {
            boolean ignored = acceptor.join(MOST_PATIENCE);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
