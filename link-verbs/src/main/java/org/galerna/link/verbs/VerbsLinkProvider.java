package org.galerna.link.verbs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.galerna.link.Link;
import org.galerna.link.LinkOptions;
import org.galerna.link.LinkProvider;
import org.galerna.link.Wireup;
import org.galerna.link.verbs.adapter.AdapterChoice;
import org.galerna.link.verbs.adapter.VerbsOptions;
import org.galerna.link.verbs.wire.Word;
import org.galerna.nativeaccess.verbs.VerbsException;
import org.galerna.nativeaccess.verbs.VerbsLibrary;

/** Provides the link over verbs. */
public final class VerbsLinkProvider implements LinkProvider {
    private static final Path KERNELS_LIST = Path.of("/sys/class/infiniband");

    /** For {@link java.util.ServiceLoader}. */
    public VerbsLinkProvider() {}

    @Override
    public String name() {
        return VerbsLink.NAME;
    }

    @Override
    public String needs() {
        return "an adapter for InfiniBand, RoCE or iWARP";
    }

    @Override
    public OptionalInt place() {
        return OptionalInt.of(40);
    }

    @Override
    public Optional<String> device() {
        return Optional.of("ibvdev");
    }

    @Override
    public Map<String, String> settings() {
        return VerbsOptions.MEANINGS;
    }

    @Override
    public void checkSettings() {
        VerbsOptions unused = VerbsOptions.of(0);
    }

    @Override
    public Optional<String> unavailable(Wireup wireup) {
        if (System.getProperty(VerbsLibrary.PROPERTY) == null
                && !hasAdapters()) { // seen without the library, which most machines that have none need not load
            return Optional.of(AdapterChoice.NO_ADAPTER);
        }
        Optional<String> reason = VerbsLibrary.unavailable();
        if (reason.isPresent()) {
            return reason;
        }
        if (wireup.size() > Word.MOST_RANKS) {
            return Optional.of(
                    "verbs serve jobs of up to " + Word.MOST_RANKS + " ranks, and this one has " + wireup.size());
        }
        try {
            AdapterChoice.of(VerbsOptions.of(wireup.rank()));
            return Optional.empty();
        } catch (VerbsException | IllegalStateException obstacle) {
            return Optional.of(String.valueOf(obstacle.getMessage()));
        }
    }

    /** Whether the kernel knows an adapter. */
    private static boolean hasAdapters() {
        try (Stream<Path> adapters = Files.list(KERNELS_LIST)) {
            return adapters.findAny().isPresent();
        } catch (IOException | UncheckedIOException noSuchFolder) {
            return false;
        }
    }

    @Override
    public Link open(Wireup wireup, LinkOptions options) {
        return VerbsLink.attach(wireup, options);
    }
}
