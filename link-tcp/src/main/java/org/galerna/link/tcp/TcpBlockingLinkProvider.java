package org.galerna.link.tcp;

import java.util.Optional;
import org.galerna.link.Link;
import org.galerna.link.LinkOptions;
import org.galerna.link.LinkProvider;
import org.galerna.link.Wireup;

/** Provides the link over TCP through blocking streams. */
public final class TcpBlockingLinkProvider implements LinkProvider {
    /** For {@link java.util.ServiceLoader}. */
    public TcpBlockingLinkProvider() {}

    @Override
    public String name() {
        return SocketKind.TCP_BLOCKING.linkName();
    }

    @Override
    public boolean usesSockets() {
        return true;
    }

    @Override
    public Optional<String> device() {
        return Optional.of("iodev");
    }

    @Override
    public Optional<String> unavailable(Wireup wireup) {
        return SocketKind.TCP_BLOCKING.network().unavailable();
    }

    @Override
    public Link open(Wireup wireup, LinkOptions options) {
        return SocketLink.open(SocketKind.TCP_BLOCKING, wireup, options);
    }
}
