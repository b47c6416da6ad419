package org.galerna.link.verbs;

import java.util.Optional;
import org.galerna.link.Link;
import org.galerna.link.LinkOptions;
import org.galerna.link.LinkProvider;
import org.galerna.link.Wireup;
import org.galerna.nativeaccess.verbs.VerbsException;
import org.galerna.nativeaccess.verbs.VerbsLibrary;

/** Provides the link over verbs. */
public final class VerbsLinkProvider implements LinkProvider {
    /** For {@link java.util.ServiceLoader}. */
    public VerbsLinkProvider() {}

    @Override
    public String name() {
        return VerbsLink.NAME;
    }

    @Override
    public Optional<String> unavailable(Wireup wireup) {
        Optional<String> reason = VerbsLibrary.unavailable();
        if (reason.isPresent()) {
            return reason;
        }
        if (wireup.size() > Word.MOST_RANKS) {
            return Optional.of(
                    "verbs serve jobs of up to " + Word.MOST_RANKS + " ranks, and this one has " + wireup.size());
        }
        try {
            AdapterChoice.of(VerbsOptions.fromSystemProperties());
            return Optional.empty();
        } catch (VerbsException | IllegalStateException obstacle) {
            return Optional.of(String.valueOf(obstacle.getMessage()));
        }
    }

    @Override
    public Link open(Wireup wireup, LinkOptions options) {
        return VerbsLink.attach(wireup, options);
    }
}
