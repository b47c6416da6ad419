package org.galerna.link.tcp.network;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.galerna.link.Wireup;
import org.galerna.link.process.TemporaryFolder;
import org.galerna.link.tcp.wire.Closing;

/** Sockets that are files, in a folder that only this user can enter. */
public final class UnixNetwork implements Network {
    @Override
    public Optional<String> unavailable() {
        try (ServerSocketChannel probe = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            return probe.isOpen() ? Optional.empty() : Optional.of("UNIX-domain sockets cannot be opened");
        } catch (IOException | UnsupportedOperationException missing) {
            return Optional.of("this system has no UNIX-domain sockets: " + missing.getMessage());
        }
    }

    @Override
    public Listening listen(Wireup wireup) throws IOException {
        TemporaryFolder folder = TemporaryFolder.make("unix").untilEnd();
        ServerSocketChannel listener = null;
        try {
            listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            Path file = folder.path().resolve("rank-" + wireup.rank());
            listener.bind(UnixDomainSocketAddress.of(file), BACKLOG);
            listener.configureBlocking(false);
            return new FileListening(listener, folder, file);
        } catch (IOException failed) {
            Closing.quietly(listener);
            folder.close();
            throw failed;
        }
    }

    private record FileListening(ServerSocketChannel listener, TemporaryFolder folder, Path file) implements Listening {
        @Override
        public List<ServerSocketChannel> listeners() {
            return List.of(listener);
        }

        @Override
        public Address address() {
            return Address.here(List.of(file.toString()));
        }

        @Override
        public void keepToThisHost() {
            // nobody else can come
        }

        @Override
        public void close() {
            Closing.quietly(listener);
            folder.close();
        }
    }

    @Override
    public List<SocketAddress> candidates(Address own, Address other) {
        return other.sockets().stream()
                .map(Path::of)
                .filter(Files::exists)
                .<SocketAddress>map(UnixDomainSocketAddress::of)
                .toList();
    }

    @Override
    public boolean isReachedFromHost(Address own) {
        return true;
    }

    @Override
    public SocketChannel open(SocketAddress target) throws IOException {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        channel.configureBlocking(false);
        return channel;
    }

    @Override
    public void configure(SocketChannel accepted) throws IOException {
        accepted.configureBlocking(false);
    }
}
