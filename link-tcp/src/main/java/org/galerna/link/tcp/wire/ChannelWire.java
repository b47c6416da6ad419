package org.galerna.link.tcp.wire;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import org.galerna.nativeaccess.socket.SocketDescriptor;
import org.galerna.nativeaccess.socket.SystemAnswers;
import org.jspecify.annotations.Nullable;

/**
 * A wire over a socket that does not block.
 *
 * <p>The channel keeps its own calls apart from its end. Calls past it, by the number of the socket, are kept apart here:
 * each direction has a lock, which is held during the call, and closing takes both. No call blocks, so nobody waits long.
 */
public final class ChannelWire implements Wire {
    private final SocketChannel channel;
    private final @Nullable SocketDescriptor descriptor;
    private final boolean withinHost;
    private final Object receiving = new Object();
    private final Object sending = new Object();
    private boolean closed; // written with both locks, read with either

    private ChannelWire(SocketChannel channel, @Nullable SocketDescriptor descriptor) {
        this.channel = channel;
        this.descriptor = descriptor;
        this.withinHost = isWithinHost(channel);
    }

    /** Whether both ends of a socket are on this host. */
    public static boolean isWithinHost(SocketChannel channel) {
        try {
            SocketAddress near = channel.getLocalAddress();
            return near instanceof UnixDomainSocketAddress
                    || (near instanceof InetSocketAddress here
                            && channel.getRemoteAddress() instanceof InetSocketAddress there
                            && here.getAddress().equals(there.getAddress()));
        } catch (IOException closed) {
            return false;
        }
    }

    @Override
    public boolean isWithinHost() {
        return withinHost;
    }

    /** A wire for a handshake, or where nothing but buffers is sent. */
    public ChannelWire(SocketChannel channel) {
        this(channel, null);
    }

    /** A wire that reaches arrays, if the system has a way. */
    public static ChannelWire toArrays(SocketChannel channel) {
        return new ChannelWire(channel, SocketDescriptor.of(channel).orElse(null));
    }

    /** Has the system send at once whatever the peer has room for, if it knows how. */
    public void sendUnpaced() {
        if (descriptor != null) {
            descriptor.controlCongestion(SocketDescriptor.UNPACED);
        }
    }

    @Override
    public boolean reachesArrays() {
        return descriptor != null;
    }

    @Override
    public int receive(MemorySegment target, long offset, long length) throws IOException {
        synchronized (receiving) {
            return open().receive(target, offset, length);
        }
    }

    @Override
    public int send(MemorySegment source, long offset, long length, boolean more) throws IOException {
        synchronized (sending) {
            return open().send(source, offset, length, more);
        }
    }

    @Override
    public long underWay() {
        synchronized (sending) {
            try {
                // what is written to a file that is a socket is with the peer at once
                return descriptor == null || channel.getLocalAddress() instanceof UnixDomainSocketAddress
                        ? 0
                        : open().unacknowledged();
            } catch (IOException closedOrBroken) {
                return 0;
            }
        }
    }

    /** {@inheritDoc} Of a socket that is a file there is one system alone, which tells of the peer's end by itself. */
    @Override
    public Optional<SystemAnswers> answers() {
        synchronized (sending) {
            try {
                if (channel.getLocalAddress() instanceof UnixDomainSocketAddress) {
                    return Optional.of(SystemAnswers.COMPLETE);
                }
                return descriptor == null ? Optional.empty() : Optional.of(open().answers());
            } catch (IOException closedOrBroken) {
                return Optional.empty();
            }
        }
    }

    private SocketDescriptor open() throws IOException {
        SocketDescriptor known = descriptor;
        if (closed || known == null) {
            throw new ClosedChannelException();
        }
        return known;
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        return channel.read(target);
    }

    @Override
    public long read(ByteBuffer[] targets) throws IOException {
        return channel.read(targets);
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        return channel.write(source);
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int count) throws IOException {
        return channel.write(sources, offset, count);
    }

    @Override
    public void select(Selector selector, Object attachment, boolean reading, boolean writing) throws IOException {
        int operations = (reading ? SelectionKey.OP_READ : 0) | (writing ? SelectionKey.OP_WRITE : 0);
        try {
            SelectionKey key = channel.keyFor(selector);
            if (key == null) {
                channel.register(selector, operations, attachment);
            } else if (key.interestOps() != operations) {
                key.interestOps(operations);
            }
        } catch (ClosedChannelException | CancelledKeyException closedMeanwhile) {
            // by another thread, which wakes those who wait
        }
    }

    @Override
    public boolean isSelectable() {
        return true;
    }

    @Override
    public void close() {
        synchronized (receiving) {
            synchronized (sending) {
                if (descriptor != null && !closed) {
                    descriptor.release();
                }
                closed = true;
                Closing.quietly(channel);
            }
        }
    }
}
