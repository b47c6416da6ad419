package org.galerna.link.threads;

import java.util.Optional;
import org.galerna.link.Link;
import org.galerna.link.LinkOptions;
import org.galerna.link.LinkProvider;
import org.galerna.link.Wireup;

/** Opens {@link ThreadsLink}s. */
public final class ThreadsLinkProvider implements LinkProvider {
    /** For {@link java.util.ServiceLoader}. */
    public ThreadsLinkProvider() {}

    @Override
    public String name() {
        return ThreadsLink.NAME;
    }

    @Override
    public Optional<String> unavailable(Wireup wireup) {
        return Optional.empty();
    }

    @Override
    public Link open(Wireup wireup, LinkOptions options) {
        return ThreadsLink.attach(wireup, options);
    }
}
