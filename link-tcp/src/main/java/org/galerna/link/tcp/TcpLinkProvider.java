package org.galerna.link.tcp;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.galerna.link.Link;
import org.galerna.link.LinkOptions;
import org.galerna.link.LinkProvider;
import org.galerna.link.Wireup;
import org.galerna.link.tcp.connecting.ConnectionLimit;
import org.galerna.link.tcp.network.Interfaces;
import org.galerna.link.tcp.wire.Security;
import org.galerna.link.tcp.wire.Tls;

/** Provides the link over TCP without blocking. */
public final class TcpLinkProvider implements LinkProvider {
    /** For {@link java.util.ServiceLoader}. */
    public TcpLinkProvider() {}

    @Override
    public String name() {
        return SocketKind.TCP.linkName();
    }

    @Override
    public OptionalInt place() {
        return OptionalInt.of(50);
    }

    @Override
    public boolean usesSockets() {
        return true;
    }

    @Override
    public Optional<String> device() {
        return Optional.of("niodev");
    }

    @Override
    public Map<String, String> settings() {
        return Map.of(
                Interfaces.PROPERTY,
                        "interface, address or network that connections go through, e.g. eth0 or 10.0.0.0/8",
                ConnectionLimit.PROPERTY,
                        "connections that a rank keeps; more are closed while they carry nothing (default: half of the"
                                + " files that the process may open, by the number of its ranks)",
                Security.PROPERTY, "true: connections are encrypted with TLS",
                Tls.KEY_STORE, "file with key and certificates for TLS, in the form PKCS12",
                Tls.PASSWORD_FILE, "file whose first line is the password of the key store");
    }

    @Override
    public void checkSettings() {
        OptionalInt unusedLimit = ConnectionLimit.fromSystemProperties();
        Security unused = Security.fromSystemProperties();
        try {
            Interfaces.Choice unusedChoice = Interfaces.choose();
        } catch (IOException unknown) {
            throw new UncheckedIOException(unknown);
        }
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
