package org.galerna.link.verbs.adapter;

import java.util.ArrayList;
import java.util.List;
import org.galerna.nativeaccess.verbs.Adapter;
import org.galerna.nativeaccess.verbs.Gid;
import org.galerna.nativeaccess.verbs.Port;
import org.galerna.nativeaccess.verbs.VerbsException;
import org.galerna.nativeaccess.verbs.VerbsLibrary;
import org.jspecify.annotations.Nullable;

/**
 * The adapter, port and GID that a rank uses: what is asked for, otherwise the first that works.
 *
 * @param gid its address; null on InfiniBand without one
 */
public record AdapterChoice(
        String adapter, Port port, @Nullable Gid gid) {
    public static final String NO_ADAPTER =
            "this machine has no adapter for InfiniBand, RoCE or iWARP, or its driver is not loaded";

    /**
     * Chooses.
     *
     * @throws VerbsException if the library fails
     * @throws IllegalStateException if there is no usable adapter; the message says what is wrong with each
     */
    public static AdapterChoice of(VerbsOptions options) throws VerbsException {
        VerbsLibrary library = VerbsLibrary.open();
        List<String> names = library.adapters();
        List<String> obstacles = new ArrayList<>();
        for (String name : names) {
            if (options.wantedAdapter().isPresent() && !name.equals(options.adapter())) {
                continue;
            }
            AdapterChoice choice = look(library, name, options, obstacles);
            if (choice != null) {
                return choice;
            }
        }
        throw new IllegalStateException(reason(options, names, obstacles));
    }

    private static String reason(VerbsOptions options, List<String> names, List<String> obstacles) {
        if (names.isEmpty()) {
            return NO_ADAPTER;
        }
        return obstacles.isEmpty()
                ? "there is no adapter " + options.adapter() + "; there are " + String.join(", ", names)
                : String.join("; ", obstacles);
    }

    private static @Nullable AdapterChoice look(
            VerbsLibrary library, String name, VerbsOptions options, List<String> obstacles) {
        try (Adapter adapter = library.adapter(name)) {
            int ports = adapter.limits().ports();
            for (int number = 1; number <= ports; number++) {
                if (options.port() != 0 && options.port() != number) {
                    continue;
                }
                Port port = adapter.port(number);
                if (!port.isActive()) {
                    obstacles.add(name + " port " + number + " is " + port.describeState());
                    continue;
                }
                Gid gid = gid(adapter, port, options.gidIndex());
                if (gid == null && (port.ethernet() || options.gidIndex() >= 0)) {
                    obstacles.add(name + " port " + number + " has no GID"
                            + (options.gidIndex() >= 0 ? " at index " + options.gidIndex() : ""));
                    continue;
                }
                return new AdapterChoice(name, port, gid);
            }
            if (options.port() > ports) {
                obstacles.add(name + " has no port " + options.port());
            }
        } catch (VerbsException failed) {
            obstacles.add(String.valueOf(failed.getMessage()));
        }
        return null;
    }

    /** The GID of an IPv4 address, routable if there is one; otherwise the first. */
    private static @Nullable Gid gid(Adapter adapter, Port port, int index) throws VerbsException {
        if (index >= 0) {
            return adapter.gid(port.number(), index).orElse(null);
        }
        Gid best = null;
        for (Gid each : adapter.gids(port)) {
            if (best == null || rank(each) > rank(best)) {
                best = each;
            }
        }
        return best;
    }

    private static int rank(Gid gid) {
        return (gid.ipv4().isPresent() ? 2 : 0) + (gid.isRoutable() ? 1 : 0);
    }
}
