package org.galerna.testkit.faulty;

import java.util.Optional;
import java.util.function.IntFunction;
import org.galerna.link.Link;
import org.galerna.link.LinkOptions;
import org.galerna.link.LinkProvider;
import org.galerna.link.Reach;
import org.galerna.link.Wireup;

/**
 * Opens links of another provider, with faults. For tests that find links by name, list this class in
 * {@code META-INF/services/org.galerna.link.LinkProvider} and say with {@link #use} what is behind {@link #NAME}.
 */
public final class FaultyLinkProvider implements LinkProvider {
    /** Name of the link. */
    public static final String NAME = "faulty";

    /** Name of the device over it alone. */
    public static final String DEVICE = "faultydev";

    private static volatile Use inUse = new Use("threads", rank -> Faults.NONE);

    private final Optional<Use> own;

    private record Use(String link, IntFunction<Faults> faults) {}

    /** For {@link java.util.ServiceLoader}. */
    public FaultyLinkProvider() {
        this.own = Optional.empty();
    }

    /** Opens links of that name, with the faults of each rank. */
    public FaultyLinkProvider(String link, IntFunction<Faults> faults) {
        this.own = Optional.of(new Use(link, faults));
    }

    /** Says what those open that find the link by its name from now on. */
    public static void use(String link, IntFunction<Faults> faults) {
        inUse = new Use(link, faults);
    }

    private Use current() {
        return own.orElse(inUse);
    }

    private LinkProvider inner() {
        return LinkProvider.named(current().link());
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Optional<String> device() {
        return Optional.of(DEVICE);
    }

    @Override
    public Reach reach() {
        return inner().reach();
    }

    @Override
    public Optional<String> unavailable(Wireup wireup) {
        return inner().unavailable(wireup);
    }

    @Override
    public Link open(Wireup wireup, LinkOptions options) {
        Faults faults = current().faults().apply(wireup.rank()).ofRank(wireup.rank());
        return new FaultyLink(inner().open(wireup, options), wireup.rank(), wireup.size(), faults);
    }
}
