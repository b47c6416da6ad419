package org.galerna.link.ofi;

import java.util.Map;
import java.util.Optional;
import org.galerna.link.Link;
import org.galerna.link.LinkOptions;
import org.galerna.link.LinkProvider;
import org.galerna.link.Wireup;
import org.galerna.link.ofi.adapter.OfiOptions;
import org.galerna.link.ofi.adapter.ProviderChoice;
import org.galerna.link.ofi.wire.Word;
import org.galerna.nativeaccess.ofi.OfiException;
import org.galerna.nativeaccess.ofi.OfiLibrary;

/** Provides the link over libfabric. */
public final class OfiLinkProvider implements LinkProvider {
    /** For {@link java.util.ServiceLoader}. */
    public OfiLinkProvider() {}

    @Override
    public String name() {
        return OfiLink.NAME;
    }

    @Override
    public String needs() {
        return "libfabric, and a network that it has a provider for";
    }

    @Override
    public Optional<String> device() {
        return Optional.of("ofidev");
    }

    @Override
    public Optional<String> otherDeviceName() {
        return Optional.of("ugnidev");
    }

    @Override
    public Map<String, String> settings() {
        return OfiOptions.MEANINGS;
    }

    @Override
    public void checkSettings() {
        OfiOptions unused = OfiOptions.read();
    }

    @Override
    public Optional<String> unavailable(Wireup wireup) {
        Optional<String> reason = OfiLibrary.unavailable();
        if (reason.isPresent()) {
            return reason;
        }
        if (wireup.size() > Word.MOST_RANKS) {
            return Optional.of(
                    "libfabric serves jobs of up to " + Word.MOST_RANKS + " ranks, and this one has " + wireup.size());
        }
        try {
            ProviderChoice.of(OfiOptions.read());
            return Optional.empty();
        } catch (OfiException none) {
            return Optional.of(String.valueOf(none.getMessage()));
        }
    }

    @Override
    public Link open(Wireup wireup, LinkOptions options) {
        return OfiLink.attach(wireup, options);
    }
}
