package org.galerna.link.tcp;

import java.util.Optional;
import java.util.OptionalInt;
import org.galerna.link.Link;
import org.galerna.link.LinkOptions;
import org.galerna.link.LinkProvider;
import org.galerna.link.Reach;
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
    public Reach reach() {
        return Reach.HOST;
    }

    @Override
    public OptionalInt place() {
        return OptionalInt.of(30);
    }

    @Override
    public boolean usesSockets() {
        return true;
    }

    @Override
    public Optional<String> device() {
        return Optional.of("unixdev");
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
