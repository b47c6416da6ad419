package org.galerna.link.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/** A wire over a socket that does not block. */
final class ChannelWire implements Wire {
    private final SocketChannel channel;

    ChannelWire(SocketChannel channel) {
        this.channel = channel;
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
        SelectionKey key = channel.keyFor(selector);
        if (key == null) {
            channel.register(selector, operations, attachment);
        } else if (key.isValid() && key.interestOps() != operations) {
            key.interestOps(operations);
        }
    }

    @Override
    public boolean isSelectable() {
        return true;
    }

    @Override
    public void close() {
        Closing.quietly(channel);
    }
}
