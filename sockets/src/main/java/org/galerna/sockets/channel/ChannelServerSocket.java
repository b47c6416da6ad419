package org.galerna.sockets.channel;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.nio.channels.ServerSocketChannel;
import java.util.Objects;
import java.util.Set;
import org.galerna.sockets.platform.NoSocketImpl;
import org.jspecify.annotations.Nullable;

/** A listening channel as a socket: the platform's own adaptor, but for what opens and closes the channel. */
public final class ChannelServerSocket extends ServerSocket {
    private final FastServerSocketChannel channel;
    private final ServerSocket tcp;

    /**
     * The adaptor of a channel.
     *
     * @param tcp that of the platform's channel
     */
    public ChannelServerSocket(FastServerSocketChannel channel, ServerSocket tcp) {
        super(new NoSocketImpl());
        this.channel = channel;
        this.tcp = tcp;
    }

    @Override
    public ServerSocketChannel getChannel() {
        return channel;
    }

    @Override
    public void bind(@Nullable SocketAddress local) throws IOException {
        bind(local, 50);
    }

    @Override
    public void bind(@Nullable SocketAddress local, int backlog) throws IOException {
        tcp.bind(local, backlog);
        channel.bound();
    }

    @Override
    public Socket accept() throws IOException {
        Socket accepted;
        try {
            accepted = tcp.accept();
        } finally {
            channel.closeIfTcpIs();
        }
        return channel.adopt(Objects.requireNonNull(accepted.getChannel())).socket();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    @Override
    public boolean isClosed() {
        return !channel.isOpen();
    }

    @Override
    public <T> ServerSocket setOption(SocketOption<T> option, T value) throws IOException {
        tcp.setOption(option, value);
        return this;
    }

    @Override
    public <T> T getOption(SocketOption<T> option) throws IOException {
        return tcp.getOption(option);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return tcp.supportedOptions();
    }

    @Override
    public boolean isBound() {
        return tcp.isBound();
    }

    @Override
    public InetAddress getInetAddress() {
        return tcp.getInetAddress();
    }

    @Override
    public int getLocalPort() {
        return tcp.getLocalPort();
    }

    @Override
    public SocketAddress getLocalSocketAddress() {
        return tcp.getLocalSocketAddress();
    }

    @Override
    public void setSoTimeout(int millis) throws SocketException {
        tcp.setSoTimeout(millis);
    }

    @Override
    public int getSoTimeout() throws IOException {
        return tcp.getSoTimeout();
    }

    @Override
    public void setReceiveBufferSize(int size) throws SocketException {
        tcp.setReceiveBufferSize(size);
    }

    @Override
    public int getReceiveBufferSize() throws SocketException {
        return tcp.getReceiveBufferSize();
    }

    @Override
    public void setReuseAddress(boolean on) throws SocketException {
        tcp.setReuseAddress(on);
    }

    @Override
    public boolean getReuseAddress() throws SocketException {
        return tcp.getReuseAddress();
    }

    @Override
    public String toString() {
        return tcp.toString();
    }
}
