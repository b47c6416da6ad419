package org.galerna.link.ucx;

import java.util.Optional;
import org.galerna.link.Link;
import org.galerna.link.LinkOptions;
import org.galerna.link.LinkProvider;
import org.galerna.link.Wireup;

/** A device over the link over UCX alone, which users do not need: for them UCX matches. */
public final class UcxAloneProvider implements LinkProvider {
    static final String DEVICE = "ucxframesdev";

    private final LinkProvider ucx = new UcxLinkProvider();

    /** For {@link java.util.ServiceLoader}. */
    public UcxAloneProvider() {}

    @Override
    public String name() {
        return "ucx-alone";
    }

    @Override
    public Optional<String> device() {
        return Optional.of(DEVICE);
    }

    @Override
    public Optional<String> unavailable(Wireup wireup) {
        return ucx.unavailable(wireup);
    }

    @Override
    public Link open(Wireup wireup, LinkOptions options) {
        return ucx.open(wireup, options);
    }
}
