package org.galerna.sockets;

import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Where a listener of this process is found by others: a UNIX-domain socket, and a {@link Door} for other hosts if they may. It stays as long as the listener does, or a
 * connection that it has accepted: programs may close their listener before anybody offers anything for its connections.
 */
final class Porch {
    private final Control control;
    private final Path path;
    private final ServerSocketChannel channel;
    private final @Nullable Door door;
    private final AtomicInteger users = new AtomicInteger(1);

    Porch(Control control, Path path, ServerSocketChannel channel, @Nullable Door door) {
        this.control = control;
        this.path = path;
        this.channel = channel;
        this.door = door;
    }

    Path path() {
        return path;
    }

    /** One more needs it; false if it is gone already. */
    boolean retain() {
        int now;
        do {
            now = users.get();
            if (now == 0) {
                return false;
            }
        } while (!users.compareAndSet(now, now + 1));
        return true;
    }

    /** One less needs it. */
    void release() {
        if (users.decrementAndGet() == 0) {
            control.leave(this); // while nobody else can take the name
            if (door != null) {
                door.close();
            }
            try {
                channel.close();
            } catch (IOException isGoneAllTheSame) {
                // nobody is found there
            }
            control.execute(() -> {}); // the system gets the descriptor back when the thread looks
        }
    }
}
