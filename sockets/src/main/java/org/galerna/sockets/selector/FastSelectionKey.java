package org.galerna.sockets.selector;

import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelectionKey;
import org.galerna.nativeaccess.file.Epoll;
import org.galerna.sockets.channel.ChannelConnection;
import org.galerna.sockets.channel.ChannelKey;
import org.galerna.sockets.channel.FastServerSocketChannel;
import org.galerna.sockets.channel.FastSocketChannel;
import org.galerna.sockets.pipe.Pipe;
import org.galerna.sockets.pipe.WakeupFd;
import org.galerna.sockets.platform.PlatformChannels;
import org.jspecify.annotations.Nullable;

/**
 * A channel that is registered with a {@link FastSelector}: what it waits for at the system, and at a pipe. Methods for the
 * selector are called by the thread that selects, unless they say so.
 */
public final class FastSelectionKey extends AbstractSelectionKey implements ChannelKey {
    /** Where this waits for the bytes of one direction, or for their room. */
    private enum Way {
        /** Bytes have not turned to a pipe. */
        TCP,
        /** The pipe alone. */
        PIPE,
        /** The pipe was full, and bytes go over TCP too. */
        PIPE_AND_TCP;

        static Way of(boolean turned, boolean tcpAgain) {
            return !turned ? TCP : tcpAgain ? PIPE_AND_TCP : PIPE;
        }
    }

    private final FastSelector selector;
    private final SelectableChannel channel;
    private final SelectableChannel plain; // the platform's channel: the same one, or what is below it
    private final @Nullable FastSocketChannel fast; // null if it has no pipe ever
    private final int descriptor;
    private final long data;
    private volatile int interest;
    private volatile int ready;

    private volatile boolean left; // set under the lock of this, which guards the next one
    private int waitedFor; // events at the system; 0 if it is not asked

    private int found; // operations, in the present selection
    private @Nullable Pipe pipe; // kept as long as this looks at it
    private boolean announced; // to the other end: the bell
    private Way reading = Way.TCP;
    private Way writing = Way.TCP;

    /**
     * A key that waits for nothing yet.
     *
     * @param serial what no other key of the selector has
     * @param operations it is interested in
     */
    public FastSelectionKey(FastSelector selector, SelectableChannel channel, int serial, int operations) {
        this.selector = selector;
        this.channel = channel;
        this.fast = channel instanceof FastSocketChannel connection ? connection : null;
        this.plain = fast != null
                ? fast.tcp()
                : channel instanceof FastServerSocketChannel listener ? listener.tcp() : channel;
        this.interest = operations;
        this.descriptor = PlatformChannels.descriptor(plain);
        this.data = (long) serial << 32 | descriptor;
    }

    @Override
    public SelectableChannel channel() {
        return channel;
    }

    @Override
    public FastSelector selector() {
        return selector;
    }

    @Override
    public int interestOps() {
        checkValid();
        return interest;
    }

    @Override
    public SelectionKey interestOps(int operations) {
        checkValid();
        if ((operations & ~channel.validOps()) != 0) {
            throw new IllegalArgumentException();
        }
        if (interest != operations) {
            interest = operations;
            selector.update(this);
        }
        return this;
    }

    @Override
    public int readyOps() {
        checkValid();
        return ready;
    }

    private void checkValid() {
        if (!isValid()) {
            throw new CancelledKeyException();
        }
    }

    public int descriptor() {
        return descriptor;
    }

    /** What the system is to tell with events of this. */
    public long data() {
        return data;
    }

    /** Whether it looks at a pipe. */
    public boolean hasPipe() {
        return pipe != null;
    }

    /** The pipe that it looks at; null if there is none. */
    public @Nullable Pipe pipe() {
        return pipe;
    }

    /** Asks the system for what is to be known now, and no more; keeps the pipe if there is one. */
    public void update(Epoll epoll, WakeupFd bell) throws IOException {
        ChannelConnection connection = fast == null ? null : fast.connection();
        if (connection != null) {
            Pipe current = connection.pipe();
            boolean reads = connection.readsPipe();
            boolean writes = connection.writesPipe();
            if (pipe == null && current != null && (reads || writes) && current.retain()) {
                pipe = current;
            }
            reading = Way.of(reads, pipe != null && connection.readsTcpAgain());
            writing = Way.of(writes, pipe != null && connection.writesTcpAgain());
            if (pipe != null && !announced) {
                announced = pipe.announce(bell);
            }
        }
        int wanted = interest;
        int events = 0;
        if ((wanted & (OP_READ | OP_ACCEPT)) != 0 && reading != Way.PIPE) {
            events |= Epoll.READABLE;
        }
        if ((wanted & (OP_WRITE | OP_CONNECT)) != 0 && writing != Way.PIPE) {
            events |= Epoll.WRITABLE;
        }
        waitFor(epoll, events);
    }

    private synchronized void waitFor(Epoll epoll, int events) throws IOException {
        if (left || events == waitedFor) {
            return;
        }
        if (events == 0) {
            selector.remove(descriptor);
        } else if (waitedFor == 0) {
            epoll.add(descriptor, events, data);
            selector.added();
        } else {
            epoll.modify(descriptor, events, data);
        }
        waitedFor = events;
    }

    /** The system is asked no more: the channel is about to be closed, or the selector is. Any thread may call. */
    @Override
    public synchronized void leave() {
        left = true;
        if (waitedFor != 0) {
            waitedFor = 0;
            selector.remove(descriptor);
        }
    }

    @Override
    public void changed() {
        selector.update(this);
        selector.ring();
    }

    @Override
    public void ring() {
        selector.ring();
    }

    /** Nothing is looked at any more. */
    public void end() {
        leave();
        Pipe kept = pipe;
        if (kept != null) {
            pipe = null;
            kept.letGo();
        }
        if (fast != null) {
            fast.deregistered(this);
        } else if (channel instanceof FastServerSocketChannel listener) {
            listener.deregistered(this);
        }
    }

    /** Gives back what a channel of the platform still holds that was closed before it was deregistered. */
    public void release() {
        if (channel == plain && !channel.isOpen() && !channel.isRegistered()) {
            PlatformChannels.release(plain);
        }
    }

    /** The system tells of events; true if this is the first news in this selection. */
    public boolean take(int events) {
        int wanted = left ? 0 : interest;
        int operations = 0;
        if ((events & Epoll.BROKEN) != 0) {
            operations = wanted;
        } else if (plain instanceof SocketChannel socket) {
            if ((events & Epoll.READABLE) != 0 && socket.isConnected()) {
                operations |= OP_READ;
            }
            if ((events & Epoll.WRITABLE) != 0) {
                operations |= socket.isConnectionPending() ? OP_CONNECT : socket.isConnected() ? OP_WRITE : 0;
            }
        } else {
            operations |=
                    (events & Epoll.READABLE) == 0 ? 0 : plain instanceof ServerSocketChannel ? OP_ACCEPT : OP_READ;
            operations |= (events & Epoll.WRITABLE) == 0 ? 0 : OP_WRITE;
        }
        operations &= wanted;
        if ((operations & OP_READ) != 0 && (events & Epoll.BROKEN) == 0 && !isForTheProgram()) {
            operations &= ~OP_READ;
        }
        return found(operations);
    }

    private boolean found(int operations) {
        boolean first = found == 0 && operations != 0;
        found |= operations;
        return first;
    }

    private boolean isForTheProgram() {
        ChannelConnection connection = fast == null ? null : fast.connection();
        try {
            return connection == null || connection.isTcpReadable();
        } catch (IOException broken) {
            return true; // the program is to find that
        }
    }

    /** Looks at the pipe, if there is one; true if this is the first news in this selection. */
    public boolean look() {
        FastSocketChannel current = fast;
        ChannelConnection connection = current == null ? null : current.connection();
        if (left || pipe == null || connection == null) {
            return false; // what is being closed is not told of
        }
        int wanted = interest;
        int operations = 0;
        boolean others = false;
        if (reading != Way.TCP && (wanted & OP_READ) != 0) {
            operations |= connection.isPipeReadable() ? OP_READ : 0;
            others = connection.readsTcpAgain() != (reading == Way.PIPE_AND_TCP);
        }
        if (writing != Way.TCP && (wanted & OP_WRITE) != 0) {
            operations |= connection.isPipeWritable() ? OP_WRITE : 0;
            others |= connection.writesTcpAgain() != (writing == Way.PIPE_AND_TCP);
        }
        if (others) {
            changed(); // before anybody sleeps
        }
        return found(operations);
    }

    /**
     * Has the other end ring the bell when there is what somebody wants to know.
     *
     * @return in how many milliseconds to look again at the latest; negative for never
     */
    public int listen(WakeupFd bell) {
        int again = -1;
        Pipe current = pipe;
        if (current != null && fast != null) {
            int number = fast.hasSeveralKeys() ? 0 : bell.number();
            int wanted = interest;
            if (reading != Way.TCP && (wanted & OP_READ) != 0) {
                current.receiver().waiter().listen(number);
            }
            if (writing != Way.TCP && (wanted & OP_WRITE) != 0) {
                current.sender().waiter().listen(number);
                again = current.sender().nextLookMillis();
            }
            current.willSleep();
        }
        return again;
    }

    /** Nobody need ring for what has been found. */
    public void listenNoMore() {
        Pipe current = pipe;
        if (current != null) {
            if ((found & OP_READ) != 0) {
                current.receiver().waiter().listenNoMore();
            }
            if ((found & OP_WRITE) != 0) {
                current.sender().waiter().listenNoMore();
            }
        }
    }

    /** Whether the other end was last seen on the processor that this thread runs on. */
    public boolean isPeerHere() {
        Pipe current = pipe;
        return current != null && current.receiver().waiter().isPeerHere();
    }

    /** What was found in this selection, once. */
    public int takeFound() {
        int operations = left ? 0 : found & interest;
        found = 0;
        return operations;
    }

    /** The program is told of these operations; {@code more} if it has not taken the last ones yet. True if any is new. */
    public boolean setReady(int operations, boolean more) {
        int before = ready;
        ready = more ? before | operations : operations;
        return !more || ready != before;
    }
}
