package org.galerna.architecture;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The layers from the bottom up, each with its packages and with the layers it may know. A layer can only name layers
 * declared before it: the order of the constants is the direction of the arrows.
 */
enum Layer {
    NATIVE(List.of("org.galerna.nativeaccess..")),
    MEMORY(List.of("org.galerna.memory.."), NATIVE),
    LINK(List.of("org.galerna.link.."), MEMORY, NATIVE),
    DEVICE(List.of("org.galerna.device.."), LINK, MEMORY, NATIVE),
    COLLECTIVES(List.of("org.galerna.collectives.."), DEVICE, LINK, MEMORY),
    MPI_ENGINE(List.of("org.galerna.mpi.."), COLLECTIVES, DEVICE, LINK, MEMORY),
    MPJ(
            List.of("org.galerna.mpj..", "mpi..", "mpjdev..", "mpjbuf..", "xdev.."),
            MPI_ENGINE,
            COLLECTIVES,
            DEVICE,
            LINK,
            MEMORY),
    MESSAGING(List.of("org.galerna.messaging.."), LINK, MEMORY),
    SOCKETS(List.of("org.galerna.sockets.."), LINK, MEMORY, NATIVE),
    LAUNCH(List.of("org.galerna.launch.."), DEVICE, LINK, MEMORY, NATIVE),
    PROFILE(List.of("org.galerna.profile.."), MPI_ENGINE, COLLECTIVES, DEVICE, LINK),
    RANKS(List.of("org.galerna.ranks.."), LAUNCH, MPJ, DEVICE),
    JUNIT(List.of("org.galerna.junit.."), RANKS, MPJ),
    MICROMETER(List.of("org.galerna.micrometer.."), MESSAGING),
    APPLICATIONS(List.of("org.galerna.applications.."), MPJ),
    BENCH(
            List.of("org.galerna.bench.."),
            APPLICATIONS,
            LAUNCH,
            SOCKETS,
            MESSAGING,
            MPJ,
            COLLECTIVES,
            DEVICE,
            LINK,
            MEMORY,
            NATIVE),
    CLI(
            List.of("org.galerna.cli.."),
            BENCH,
            APPLICATIONS,
            LAUNCH,
            SOCKETS,
            MESSAGING,
            MPJ,
            PROFILE,
            MPI_ENGINE,
            COLLECTIVES,
            DEVICE,
            LINK,
            MEMORY,
            NATIVE),
    TESTKIT(List.of("org.galerna.testkit.."), DEVICE, LINK, MEMORY, NATIVE);

    /** The layers a program runs on, which bring no library of other people with them. */
    static final Set<Layer> LIBRARIES = EnumSet.range(NATIVE, RANKS);

    private final List<String> packages;
    private final Set<Layer> known;

    Layer(List<String> packages, Layer... known) {
        this.packages = packages;
        this.known = Set.of(known);
    }

    /** The patterns of the packages of this layer, in ArchUnit's notation. */
    String[] packages() {
        return packages.toArray(String[]::new);
    }

    /** The patterns of the packages that this layer must not know. */
    String[] forbiddenPackages() {
        List<String> forbidden = new ArrayList<>();
        for (Layer other : values()) {
            if (other != this && !known.contains(other)) {
                forbidden.addAll(other.packages);
            }
        }
        return forbidden.toArray(String[]::new);
    }

    /** The patterns of the packages of all layers in {@code layers}. */
    static String[] packagesOf(Set<Layer> layers) {
        return layers.stream().flatMap(layer -> layer.packages.stream()).toArray(String[]::new);
    }
}
