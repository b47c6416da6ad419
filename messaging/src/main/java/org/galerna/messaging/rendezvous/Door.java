package org.galerna.messaging.rendezvous;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
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
         * Answers a caller, on a thread of its own.
         *
         * @return whether the channel has been handed on; otherwise it is closed
         * @throws IOException if the caller is none of the cluster
         */
        boolean answer(SocketChannel channel) throws IOException;
    }

    private final ServerSocketChannel listener;
    private final InetSocketAddress address;
    private final Host host;
    private final Thread acceptor;
    private final Set<SocketChannel> callers = ConcurrentHashMap.newKeySet();
    private final AtomicLong refused = new AtomicLong();

    /**
     * Listens.
     *
     * @throws IOException if the address is taken, or none of this host
     */
    public Door(String name, InetSocketAddress address, Host host) throws IOException {
        this.host = host;
        this.listener = ServerSocketChannel.open();
        try {
            listener.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            listener.bind(address);
            this.address = (InetSocketAddress) listener.getLocalAddress();
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
        return address;
    }

    /** Callers that did not belong to the cluster. */
    public long refused() {
        return refused.get();
    }

    private void run() {
        while (listener.isOpen()) {
            try {
                SocketChannel channel = listener.accept();
                if (callers.size() >= MOST_UNPROVED) {
                    refused.incrementAndGet();
                    channel.close();
                } else {
                    callers.add(channel);
                    Thread.ofVirtual().name(acceptor.getName() + "-caller").start(() -> greet(channel));
                }
            } catch (IOException failed) { // closed, or no file descriptors left
                if (listener.isOpen()) {
                    LockSupport.parkNanos(this, ACCEPT_PAUSE.toNanos());
                }
            }
        }
    }

    private void greet(SocketChannel channel) {
        boolean handedOn = false;
        try {
            handedOn = host.answer(channel);
        } catch (IOException stranger) {
            refused.incrementAndGet();
        } finally {
            callers.remove(channel);
            if (!handedOn) {
                close(channel);
            }
        }
    }

    private static void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException closedAnyway) {
            // nothing of it is used any more
        }
    }

    /** Lets nobody in any more; the address is free when this returns. */
    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException closedAnyway) {
            // nobody is let in any more
        }
        callers.forEach(Door::close); // their threads end
        awaitAcceptor();
    }

    /** A socket that a virtual thread waits at is closed by that thread, which first has to get a processor. */
    private void awaitAcceptor() {
        try {
            acceptor.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
