package org.galerna.link.threads;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.galerna.link.Link;
import org.galerna.link.LinkOptions;
import org.galerna.link.LinkProvider;
import org.galerna.link.Reach;
import org.galerna.link.Wireup;
import org.galerna.link.settings.Setting;
import org.galerna.link.support.PrivateRings;

/** Opens {@link ThreadsLink}s. */
public final class ThreadsLinkProvider implements LinkProvider {
    /** For {@link java.util.ServiceLoader}. */
    public ThreadsLinkProvider() {}

    @Override
    public String name() {
        return ThreadsLink.NAME;
    }

    @Override
    public Reach reach() {
        return Reach.PROCESS;
    }

    @Override
    public OptionalInt place() {
        return OptionalInt.of(10);
    }

    @Override
    public Optional<String> device() {
        return Optional.of("smdev");
    }

    @Override
    public Map<String, String> settings() {
        return Setting.meanings(List.of(PrivateRings.SETTING));
    }

    @Override
    public void checkSettings() {
        PrivateRings.of(1);
    }

    @Override
    public Optional<String> unavailable(Wireup wireup) {
        return wireup.isAlone() && wireup.size() > 1
                ? Optional.of("no other rank is a thread of this process")
                : Optional.empty();
    }

    @Override
    public Link open(Wireup wireup, LinkOptions options) {
        return ThreadsLink.attach(wireup, options);
    }
}
