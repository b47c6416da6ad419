package org.galerna.link.tcp;

import java.util.Optional;
import org.galerna.link.Link;
import org.galerna.link.LinkOptions;
import org.galerna.link.LinkProvider;
import org.galerna.link.Wireup;

/** Provides the link over TCP without blocking. */
public final class TcpLinkProvider implements LinkProvider {
    /** For {@link java.util.ServiceLoader}. */
    public TcpLinkProvider() {}

    @Override
    public String name() {
        return SocketKind.TCP.linkName();
    }

    @Override
    public Optional<String> unavailable(Wireup wireup) {
        return SocketKind.TCP.network().unavailable();
    }

    @Override
    public Link open(Wireup wireup, LinkOptions options) {
        return SocketLink.open(SocketKind.TCP, wireup, options);
    }
}
