package org.galerna.messaging.rendezvous;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Where other nodes call this one. Each caller is answered by a virtual thread of its own, so that one who says nothing
 * delays nobody; there is a limit to how many may be unproved at once.
 */
public final class Door implements AutoCloseable {
    private static final int MOST_UNPROVED = 256;
    private static final Duration ACCEPT_PAUSE = Duration.ofMillis(20);

    /** Answers callers. */
    @FunctionalInterface
    public interface Host {
        /**
         * Answers a caller, on a thread of its own, and takes the socket over.
         *
         * @throws IOException if the caller is none of the cluster
         */
        void answer(Socket socket) throws IOException;
    }

    private final ServerSocket listener;
    private final Host host;
    private final Thread acceptor;
    private final Set<Socket> callers = ConcurrentHashMap.newKeySet();
    private final AtomicLong refused = new AtomicLong();

    /**
     * Listens.
     *
     * @throws IOException if the address is taken, or none of this host
     */
    public Door(String name, InetSocketAddress address, Host host) throws IOException {
        this.host = host;
        this.listener = new ServerSocket();
        try {
            listener.setReuseAddress(true);
            listener.bind(address);
        } catch (IOException failed) {
            listener.close();
            throw new IOException("cannot listen at " + address + ": " + failed.getMessage(), failed);
        }
        this.acceptor = Thread.ofVirtual().name(name).unstarted(this::run);
    }

    /** Lets callers in. */
    public void open() {
        acceptor.start();
    }

    /** Where the door is; with the port that the system has chosen if none was given. */
    public InetSocketAddress address() {
        return (InetSocketAddress) listener.getLocalSocketAddress();
    }

    /** Callers that did not belong to the cluster. */
    public long refused() {
        return refused.get();
    }

    private void run() {
        while (!listener.isClosed()) {
            try {
                Socket socket = listener.accept();
                if (callers.size() >= MOST_UNPROVED) {
                    refused.incrementAndGet();
                    socket.close();
                } else {
                    callers.add(socket);
                    Thread.ofVirtual().name(acceptor.getName() + "-caller").start(() -> greet(socket));
                }
            } catch (IOException failed) { // closed, or no file descriptors left
                if (!listener.isClosed()) {
                    LockSupport.parkNanos(this, ACCEPT_PAUSE.toNanos());
                }
            }
        }
    }

    private void greet(Socket socket) {
        try (socket) {
            host.answer(socket);
        } catch (IOException stranger) {
            refused.incrementAndGet();
        } finally {
            callers.remove(socket);
        }
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException closedAnyway) {
            // nobody is let in any more
        }
        for (Socket each : callers) {
            try {
                each.close();
            } catch (IOException closedAnyway) {
                // its thread ends
            }
        }
    }
}
