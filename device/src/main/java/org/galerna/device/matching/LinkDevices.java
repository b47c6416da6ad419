package org.galerna.device.matching;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.Stream;
import org.galerna.device.Device;
import org.galerna.device.DeviceOptions;
import org.galerna.device.DeviceProvider;
import org.galerna.link.Link;
import org.galerna.link.LinkOptions;
import org.galerna.link.LinkProvider;
import org.galerna.link.Reach;
import org.galerna.link.Wireup;
import org.galerna.link.hybrid.HybridLink;
import org.galerna.link.process.PeerTimeout;
import org.galerna.link.process.ShortTurns;

/** Provides the device that reaches each peer by the fastest link, and with it one device for each link alone. */
public final class LinkDevices implements DeviceProvider {
    /**
     * System property: the links of this device, the fastest first, with commas between them; the same for all ranks. By
     * default all links that have a {@linkplain LinkProvider#place place}, in that order.
     */
    static final String LINKS = "galerna.hybrid.links";

    private static final String NAME = "hybdev";

    /** It serves every job, so whatever is better for one is asked before. */
    private static final int PLACE = 1000;

    /** Where all ranks are threads, links between processes would only be opened in vain. */
    private static final int PLACE_IN_PROCESS = 100;

    /** For {@link java.util.ServiceLoader}. */
    public LinkDevices() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Reach reach() {
        return Reach.NETWORK;
    }

    @Override
    public OptionalInt place(Wireup wireup) {
        return OptionalInt.of(PLACE);
    }

    @Override
    public Stream<DeviceProvider> variants() {
        return Stream.concat(
                LinkProvider.all().stream()
                        .flatMap(link -> Stream.concat(link.device().stream(), link.otherDeviceName().stream())
                                .map(name -> new OfOneLink(name, link))),
                Stream.of(this));
    }

    @Override
    public Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>(DeviceOptions.meanings());
        settings.put(ShortTurns.TURN, "longest turn of a rank on a processor that others want too, in microseconds");
        settings.put(PeerTimeout.PROPERTY, "seconds without an answer of a host after which its ranks are lost");
        settings.put(LINKS, "the links of " + NAME + ", the fastest first, e.g. shm,tcp to leave adapters alone");
        LinkProvider.all().forEach(link -> settings.putAll(link.settings()));
        return settings;
    }

    @Override
    public void checkSettings() {
        DeviceOptions unusedOptions = DeviceOptions.fromSystemProperties();
        List<LinkProvider> unusedLinks = links();
        long unusedTurn = ShortTurns.micros();
        double unusedPatience = PeerTimeout.seconds();
        LinkProvider.all().forEach(LinkProvider::checkSettings);
    }

    private static List<LinkProvider> links() {
        List<LinkProvider> all = LinkProvider.placed();
        String wanted = System.getProperty(LINKS);
        if (wanted == null || wanted.isBlank()) {
            return all;
        }
        return Arrays.stream(wanted.split(",", -1))
                .map(String::strip)
                .map(name -> all.stream()
                        .filter(link -> link.name().equals(name))
                        .findFirst()
                        .orElseThrow(() -> new IllegalArgumentException(
                                LINKS + " knows " + String.join(", ", names(all)) + ", and not \"" + name + "\"")))
                .toList();
    }

    private static List<String> names(List<LinkProvider> links) {
        return links.stream().map(LinkProvider::name).toList();
    }

    @Override
    public Device open(Wireup wireup, Optional<DeviceOptions> options) {
        Function<Link, DeviceOptions> sizes = sizes(options);
        List<LinkProvider> links = links();
        String onOneHost = links.stream()
                .filter(link -> link.reach() == Reach.HOST)
                .flatMap(link -> link.device().stream())
                .findFirst()
                .orElse(NAME);
        HybridLink opened = HybridLink.open(names(links), wireup, LinkOptions.DEFAULT);
        return Joining.open(NAME, onOneHost, new OpenedLinks.Several(opened), wireup, sizes);
    }

    /** Sizes for each link: those that are given, or what the system properties say, or what is best for the link. */
    private static Function<Link, DeviceOptions> sizes(Optional<DeviceOptions> given) {
        if (given.isPresent()) {
            return _ -> given.get();
        }
        DeviceOptions read = DeviceOptions.fromSystemProperties();
        return System.getProperty(DeviceOptions.EAGER_LIMIT) != null
                ? _ -> read
                : link -> new DeviceOptions(link.traits().eagerLimit(), read.eagerCredit());
    }

    /** The device over one link. */
    private record OfOneLink(@Override String name, LinkProvider link) implements DeviceProvider {
        @Override
        public Reach reach() {
            return link.reach();
        }

        @Override
        public String needs() {
            return link.needs();
        }

        @Override
        public OptionalInt place(Wireup wireup) {
            return reach() == Reach.PROCESS && wireup.isOneProcess()
                    ? OptionalInt.of(PLACE_IN_PROCESS)
                    : OptionalInt.empty();
        }

        @Override
        public Optional<String> unavailable(Wireup wireup) {
            return link.unavailable(wireup);
        }

        @Override
        public Device open(Wireup wireup, Optional<DeviceOptions> options) {
            Function<Link, DeviceOptions> sizes = sizes(options);
            Link opened = link.open(wireup, LinkOptions.DEFAULT);
            return Joining.open(name, name, new OpenedLinks.One(opened), wireup, sizes);
        }
    }
}
