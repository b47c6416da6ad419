package org.galerna.link.tcp;

import java.util.Optional;
import org.galerna.link.Link;
import org.galerna.link.LinkOptions;
import org.galerna.link.LinkProvider;
import org.galerna.link.Wireup;

/** Provides the link over UNIX-domain sockets. */
public final class UnixLinkProvider implements LinkProvider {
    /** For {@link java.util.ServiceLoader}. */
    public UnixLinkProvider() {}

    @Override
    public String name() {
        return SocketKind.UNIX.linkName();
    }

    @Override
    public Optional<String> unavailable(Wireup wireup) {
        return SocketKind.UNIX.network().unavailable();
    }

    @Override
    public Optional<String> substituteFor() {
        return Optional.of("shm");
    }

    @Override
    public Link open(Wireup wireup, LinkOptions options) {
        return SocketLink.open(SocketKind.UNIX, wireup, options);
    }
}
