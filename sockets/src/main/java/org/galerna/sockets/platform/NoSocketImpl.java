package org.galerna.sockets.platform;

import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.net.SocketImpl;

/** What the adaptor of a channel gives to its superclass, which wants an implementation; the adaptor never uses it. */
public final class NoSocketImpl extends SocketImpl {
    private static IllegalStateException unused() {
        return new IllegalStateException("the channel does this");
    }

    @Override
    protected void create(boolean stream) {
        throw unused();
    }

    @Override
    protected void connect(String host, int port) {
        throw unused();
    }

    @Override
    protected void connect(InetAddress address, int port) {
        throw unused();
    }

    @Override
    protected void connect(SocketAddress address, int millis) {
        throw unused();
    }

    @Override
    protected void bind(InetAddress host, int port) {
        throw unused();
    }

    @Override
    protected void listen(int backlog) {
        throw unused();
    }

    @Override
    protected void accept(SocketImpl socket) {
        throw unused();
    }

    @Override
    protected InputStream getInputStream() {
        throw unused();
    }

    @Override
    protected OutputStream getOutputStream() {
        throw unused();
    }

    @Override
    protected int available() {
        throw unused();
    }

    @Override
    protected void close() {
        throw unused();
    }

    @Override
    protected void sendUrgentData(int data) {
        throw unused();
    }

    @Override
    public void setOption(int option, Object value) {
        throw unused();
    }

    @Override
    public Object getOption(int option) {
        throw unused();
    }
}
