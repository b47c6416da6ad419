package org.galerna.sockets;

import java.lang.reflect.Proxy;
import java.util.Optional;
import org.galerna.link.CommunicationException;
import org.galerna.link.Link;
import org.galerna.link.LinkOptions;
import org.galerna.link.LinkProvider;
import org.galerna.link.Wireup;

/** A network that can be opened, as an adapter without a cable can, and leads nowhere. */
@SuppressWarnings("exports") // public for the loader of services alone
public final class BrokenLinkProvider implements LinkProvider {
    static final String NAME = "broken";

    /** For the loader of services. */
    public BrokenLinkProvider() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Optional<String> unavailable(Wireup wireup) {
        return Optional.empty();
    }

    @Override
    public Link open(Wireup wireup, LinkOptions options) {
        return (Link) Proxy.newProxyInstance(
                Link.class.getClassLoader(),
                new Class<?>[] {Link.class},
                (proxy, method, ignored) -> switch (method.getName()) {
                    case "unreachable" -> Optional.empty();
                    case "connect" -> throw new CommunicationException("there is no cable");
                    default -> null; // it is closed
                });
    }
}
