package org.galerna.link.verbs.connecting;

import java.util.Optional;
import org.galerna.nativeaccess.file.DescriptorWait;
import org.galerna.nativeaccess.verbs.Adapter;
import org.galerna.nativeaccess.verbs.AsyncEvent;
import org.galerna.nativeaccess.verbs.ConnectionEvent;
import org.galerna.nativeaccess.verbs.ConnectionEvents;
import org.jspecify.annotations.Nullable;

/**
 * The thread that waits for what the system has to say of connections and of the adapter, and hands it to the {@link
 * ConnectionManager}, which cannot wait for it: that one waits for its peers.
 */
public final class CmEvents implements AutoCloseable {
    private static final long ROUND_NANOS = 1_000_000_000;

    /** Takes what has happened, on the thread of this. */
    interface Listener {
        void onConnection(ConnectionEvent event);

        void onAdapter(AsyncEvent event);
    }

    private final Adapter adapter;
    private final @Nullable ConnectionEvents connections;
    private final Listener listener;
    private final DescriptorWait wait;
    private final Thread thread;
    private volatile boolean closed;

    /**
     * Not started.
     *
     * @param connections null if there is no RDMA CM
     * @param wait for {@linkplain #descriptors the descriptors of both}
     */
    CmEvents(
            String name,
            Adapter adapter,
            @Nullable ConnectionEvents connections,
            DescriptorWait wait,
            Listener listener) {
        this.adapter = adapter;
        this.connections = connections;
        this.listener = listener;
        this.wait = wait;
        this.thread = Thread.ofPlatform()
                .daemon()
                .name(name + "-events")
                .inheritInheritableThreadLocals(false)
                .unstarted(this::run);
    }

    /** Sleep for the events of an adapter and of connections. */
    public static DescriptorWait descriptors(Adapter adapter, @Nullable ConnectionEvents connections) {
        return connections == null
                ? new DescriptorWait(adapter.asyncDescriptor())
                : new DescriptorWait(adapter.asyncDescriptor(), connections.descriptor());
    }

    void start() {
        thread.start();
    }

    private void run() {
        while (!closed) {
            if (wait.await(ROUND_NANOS) != 0 && !closed) {
                takeAll();
            }
        }
    }

    private void takeAll() {
        for (Optional<AsyncEvent> event = adapter.nextEvent(); event.isPresent(); event = adapter.nextEvent()) {
            listener.onAdapter(event.get());
        }
        ConnectionEvents source = connections;
        if (source != null) {
            for (Optional<ConnectionEvent> event = source.next(); event.isPresent(); event = source.next()) {
                listener.onConnection(event.get());
            }
        }
    }

    /** Returns when the thread does nothing more. */
    @Override
    public void close() {
        closed = true;
        wait.wakeUp();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException hurry) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
