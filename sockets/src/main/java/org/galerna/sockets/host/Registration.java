package org.galerna.sockets.host;

import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Where processes of this host find a listener of this process: a UNIX-domain socket, and what else is open as long as that.
 * It stays as long as the listener does, or a connection that it has accepted: programs may close their listener before
 * anybody offers anything for its connections.
 */
public final class Registration {
    private final HostControl control;
    private final Path path;
    private final ServerSocketChannel channel;
    private final @Nullable Runnable more;
    private final AtomicInteger users = new AtomicInteger(1);

    public Registration(HostControl control, Path path, ServerSocketChannel channel, @Nullable Runnable more) {
        this.control = control;
        this.path = path;
        this.channel = channel;
        this.more = more;
    }

    public Path path() {
        return path;
    }

    /** One more needs it; false if it is gone already. */
    public boolean retain() {
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
    public void release() {
        if (users.decrementAndGet() == 0) {
            control.leave(this); // while nobody else can take the name
            if (more != null) {
                more.run();
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
