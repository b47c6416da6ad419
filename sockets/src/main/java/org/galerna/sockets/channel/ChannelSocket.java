package org.galerna.sockets.channel;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.SocketChannel;
import java.util.Set;
import org.galerna.sockets.connection.Endpoint;
import org.galerna.sockets.connection.FastConnection;
import org.galerna.sockets.connection.FastInputStream;
import org.galerna.sockets.connection.FastOutputStream;
import org.galerna.sockets.platform.NoSocketImpl;
import org.jspecify.annotations.Nullable;

/** A channel as a socket: the platform's own adaptor, but for the bytes, and for what opens and closes the channel. */
public final class ChannelSocket extends Socket implements Endpoint {
    private final FastSocketChannel channel;
    private final Socket tcp;
    private volatile int timeout;

    /**
     * The adaptor of a channel.
     *
     * @param tcp that of the platform's channel
     */
    public ChannelSocket(FastSocketChannel channel, Socket tcp) throws SocketException {
        super(new NoSocketImpl());
        this.channel = channel;
        this.tcp = tcp;
    }

    @Override
    public @Nullable FastConnection connection() {
        return channel.connection();
    }

    @Override
    public int timeout() {
        return timeout;
    }

    @Override
    public void checkMayWait() throws IOException {
        if (!channel.isOpen()) {
            throw new ClosedChannelException();
        }
        if (!channel.isBlocking()) {
            throw new IllegalBlockingModeException();
        }
    }

    @Override
    public SocketChannel getChannel() {
        return channel;
    }

    @Override
    public void bind(@Nullable SocketAddress local) throws IOException {
        tcp.bind(local);
    }

    @Override
    public void connect(SocketAddress remote) throws IOException {
        connect(remote, 0);
    }

    @Override
    public void connect(SocketAddress remote, int millis) throws IOException {
        channel.connect(() -> tcp.connect(remote, millis));
    }

    @Override
    public InputStream getInputStream() throws IOException {
        InputStream plain = tcp.getInputStream();
        FastConnection connection = channel.connection();
        return connection == null ? new PlainInput(plain) : new FastInputStream(this, connection);
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
        OutputStream plain = tcp.getOutputStream();
        FastConnection connection = channel.connection();
        return connection == null ? new PlainOutput(plain) : new FastOutputStream(this, connection);
    }

    /** Closes the channel when it is closed. */
    private final class PlainInput extends FilterInputStream {
        PlainInput(InputStream plain) {
            super(plain);
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            try {
                return in.read(target, offset, length);
            } finally {
                channel.closeIfTcpIs(); // as an interrupt has done
            }
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    /** Closes the channel when it is closed. */
    private final class PlainOutput extends FilterOutputStream {
        PlainOutput(OutputStream plain) {
            super(plain);
        }

        @Override
        public void write(int value) throws IOException {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] source, int offset, int length) throws IOException {
            try {
                out.write(source, offset, length);
            } finally {
                channel.closeIfTcpIs();
            }
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
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
    public void shutdownInput() throws IOException {
        tcp.shutdownInput();
        channel.inputIsShutDown();
    }

    @Override
    public void shutdownOutput() throws IOException {
        if (!tcp.isOutputShutdown()) {
            channel.shutDownOutput(tcp::shutdownOutput);
        } else {
            tcp.shutdownOutput();
        }
    }

    @Override
    public void sendUrgentData(int data) throws IOException {
        FastConnection connection = channel.connection();
        if (connection == null) {
            tcp.sendUrgentData(data);
        } else {
            connection.sendUrgent(data, () -> tcp.sendUrgentData(data));
        }
    }

    @Override
    public void setOOBInline(boolean on) throws SocketException {
        tcp.setOOBInline(on);
        FastConnection connection = channel.connection();
        if (connection != null) {
            connection.takeUrgentInline(on);
        }
    }

    @Override
    public void setSoTimeout(int millis) throws SocketException {
        tcp.setSoTimeout(millis);
        timeout = millis;
    }

    @Override
    public <T> Socket setOption(SocketOption<T> option, T value) throws IOException {
        channel.setOption(option, value);
        return this;
    }

    @Override
    public <T> T getOption(SocketOption<T> option) throws IOException {
        return option == Endpoint.CONNECTION ? option.type().cast(this) : channel.getOption(option);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return tcp.supportedOptions();
    }

    @Override
    public int getPort() {
        return tcp.getPort();
    }

    @Override
    public InetAddress getLocalAddress() {
        return tcp.getLocalAddress();
    }

    @Override
    public boolean isConnected() {
        return tcp.isConnected();
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
    public boolean isInputShutdown() {
        return tcp.isInputShutdown();
    }

    @Override
    public boolean isOutputShutdown() {
        return tcp.isOutputShutdown();
    }

    @Override
    public SocketAddress getRemoteSocketAddress() {
        return tcp.getRemoteSocketAddress();
    }

    @Override
    public SocketAddress getLocalSocketAddress() {
        return tcp.getLocalSocketAddress();
    }

    @Override
    public void setTcpNoDelay(boolean on) throws SocketException {
        FastConnection current = channel.connection();
        if (current == null) {
            tcp.setTcpNoDelay(on);
        } else {
            current.noDelay().set(on, tcp::setTcpNoDelay);
        }
    }

    @Override
    public boolean getTcpNoDelay() throws SocketException {
        FastConnection current = channel.connection();
        return current == null ? tcp.getTcpNoDelay() : current.noDelay().get(tcp::getTcpNoDelay);
    }

    @Override
    public void setSoLinger(boolean on, int seconds) throws SocketException {
        tcp.setSoLinger(on, seconds);
    }

    @Override
    public int getSoLinger() throws SocketException {
        return tcp.getSoLinger();
    }

    @Override
    public boolean getOOBInline() throws SocketException {
        return tcp.getOOBInline();
    }

    @Override
    public int getSoTimeout() throws SocketException {
        return tcp.getSoTimeout();
    }

    @Override
    public void setSendBufferSize(int size) throws SocketException {
        tcp.setSendBufferSize(size);
    }

    @Override
    public int getSendBufferSize() throws SocketException {
        return tcp.getSendBufferSize();
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
    public void setKeepAlive(boolean on) throws SocketException {
        tcp.setKeepAlive(on);
    }

    @Override
    public boolean getKeepAlive() throws SocketException {
        return tcp.getKeepAlive();
    }

    @Override
    public void setTrafficClass(int trafficClass) throws SocketException {
        tcp.setTrafficClass(trafficClass);
    }

    @Override
    public int getTrafficClass() throws SocketException {
        return tcp.getTrafficClass();
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
