package org.galerna.link.ucx;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.galerna.link.Link;
import org.galerna.link.LinkOptions;
import org.galerna.link.LinkProvider;
import org.galerna.link.Wireup;
import org.galerna.nativeaccess.ucx.UcxWorker;

/** Provides the link over UCX. */
public final class UcxLinkProvider implements LinkProvider {
    /** System property: whether ranks that use several links use this one, too. */
    static final String BESIDE = "galerna.ucx.beside";

    private static final int BEFORE_SOCKETS = 45;

    /** For {@link java.util.ServiceLoader}. */
    public UcxLinkProvider() {}

    @Override
    public String name() {
        return UcxLink.NAME;
    }

    @Override
    public String needs() {
        return "UCX 1.13 or later";
    }

    @Override
    public OptionalInt place() {
        return Boolean.getBoolean(BESIDE) ? OptionalInt.of(BEFORE_SOCKETS) : OptionalInt.empty();
    }

    @Override
    public Map<String, String> settings() {
        return Map.of(BESIDE, "true: hybdev, messages and sockets use UCX, too, where it is faster than sockets");
    }

    @Override
    public void checkSettings() {
        String beside = System.getProperty(BESIDE, "false");
        if (!beside.equals("true") && !beside.equals("false")) {
            throw new IllegalArgumentException(BESIDE + " is true or false, not \"" + beside + "\"");
        }
    }

    @Override
    public Optional<String> unavailable(Wireup wireup) {
        return wireup.size() > Word.MOST_RANKS
                ? Optional.of(
                        "UCX serves jobs of up to " + Word.MOST_RANKS + " ranks, and this one has " + wireup.size())
                : UcxWorker.unavailable();
    }

    @Override
    public Link open(Wireup wireup, LinkOptions options) {
        return UcxLink.attach(wireup, options);
    }
}
