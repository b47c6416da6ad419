package org.galerna.sockets;

import java.io.IOException;
import java.net.ProtocolFamily;
import java.net.StandardProtocolFamily;
import java.nio.channels.Channel;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import java.util.Optional;
import org.galerna.sockets.channel.FastServerSocketChannel;
import org.galerna.sockets.channel.FastSocketChannel;
import org.galerna.sockets.platform.OwnThreads;
import org.galerna.sockets.platform.PlatformChannels;
import org.galerna.sockets.selector.FastSelector;
import org.galerna.sockets.upgrade.SocketHome;
import org.jspecify.annotations.Nullable;

/**
 * What makes the channels of a process whose system property {@value #PROPERTY} names this class, as the agent sets it:
 * TCP channels whose bytes go through shared memory when the peer is on the same host and has this too, and selectors for
 * them. All other channels are the platform's, and selectors take those too. Where fast sockets cannot be, or are switched
 * off, everything is the platform's.
 */
public final class FastSelectorProvider extends SelectorProvider {
    /** The system property that Java reads when the first channel is opened. */
    static final String PROPERTY = "java.nio.channels.spi.SelectorProvider";

    private final SelectorProvider platform;
    private final @Nullable SocketHome home; // null where all is the platform's

    /**
     * What Java makes, once, when the first channel is opened.
     *
     * @throws IllegalStateException if the platform's channels are out of reach, with what to do
     */
    public FastSelectorProvider() {
        this(FastSockets.forChannels());
    }

    FastSelectorProvider(Optional<SocketHome> home) {
        PlatformChannels.obstacle().ifPresent(obstacle -> {
            throw new IllegalStateException(obstacle);
        });
        this.platform = PlatformChannels.provider();
        this.home = home.orElse(null);
    }

    @Override
    public SocketChannel openSocketChannel() throws IOException {
        return wrapped(platform.openSocketChannel());
    }

    @Override
    public SocketChannel openSocketChannel(ProtocolFamily family) throws IOException {
        SocketChannel channel = platform.openSocketChannel(family);
        return isTcp(family) ? wrapped(channel) : channel;
    }

    private SocketChannel wrapped(SocketChannel channel) {
        return home == null || OwnThreads.isOne() ? channel : new FastSocketChannel(this, home, channel);
    }

    @Override
    public ServerSocketChannel openServerSocketChannel() throws IOException {
        return wrapped(platform.openServerSocketChannel());
    }

    @Override
    public ServerSocketChannel openServerSocketChannel(ProtocolFamily family) throws IOException {
        ServerSocketChannel channel = platform.openServerSocketChannel(family);
        return isTcp(family) ? wrapped(channel) : channel;
    }

    private ServerSocketChannel wrapped(ServerSocketChannel channel) {
        return home == null || OwnThreads.isOne() ? channel : new FastServerSocketChannel(this, home, channel);
    }

    private static boolean isTcp(ProtocolFamily family) {
        return family == StandardProtocolFamily.INET || family == StandardProtocolFamily.INET6;
    }

    @Override
    public AbstractSelector openSelector() throws IOException {
        return home == null || OwnThreads.isOne() ? platform.openSelector() : new FastSelector(this);
    }

    @Override
    public DatagramChannel openDatagramChannel() throws IOException {
        return platform.openDatagramChannel();
    }

    @Override
    public DatagramChannel openDatagramChannel(ProtocolFamily family) throws IOException {
        return platform.openDatagramChannel(family);
    }

    @Override
    public Pipe openPipe() throws IOException {
        return platform.openPipe();
    }

    @Override
    public @Nullable Channel inheritedChannel() throws IOException {
        return platform.inheritedChannel();
    }
}
