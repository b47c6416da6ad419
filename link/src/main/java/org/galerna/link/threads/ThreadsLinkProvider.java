package org.galerna.link.threads;

import java.util.Optional;
import org.galerna.link.InProcessWireup;
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
        return wireup instanceof InProcessWireup
                ? Optional.empty()
                : Optional.of("the ranks of " + wireup.job() + " are not threads of one JVM");
    }

    @Override
    public Link open(Wireup wireup, LinkOptions options) {
        unavailable(wireup).ifPresent(reason -> {
            throw new IllegalArgumentException("no threads link: " + reason);
        });
        return ThreadsLink.attach(wireup, options);
    }
}
