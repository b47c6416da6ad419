package org.galerna.mpi.settings;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.galerna.collectives.CollectiveOptions;
import org.galerna.collectives.algorithm.Operation;
import org.galerna.device.Devices;
import org.galerna.link.settings.SettingNames;
import org.galerna.link.settings.Spelling;
import org.galerna.link.wireup.Wireups;

/** The system properties of Galerna by their names: a name that is none of them is a mistake of the person who typed it. */
public final class KnownProperties {
    /** What all their names begin with. */
    public static final String PREFIX = "galerna.";

    /** For the build and the tests of Galerna itself. */
    private static final List<String> FREE =
            List.of("galerna.build", "galerna.pages.", "galerna.test.", "galerna.fuzz.", "galerna.faults.");

    private KnownProperties() {}

    /** All names. */
    public static SortedSet<String> names() {
        SortedSet<String> names = ofEngine();
        names.addAll(SettingNames.ofModules());
        names.addAll(Devices.settings().keySet());
        return names;
    }

    /** Those that are known without a look for the modules and the links that there are. */
    private static SortedSet<String> ofEngine() {
        SortedSet<String> names = new TreeSet<>();
        names.add(Options.DEVICE);
        names.add(Options.SERIAL_FILTER);
        names.add(Options.SERIAL_DEPTH);
        names.add(Options.SERIAL_ARRAY);
        names.add(Options.SERIAL_REFERENCES);
        names.add(Options.SERIAL_BYTES);
        names.add(Options.ARGUMENTS);
        names.add(Wireups.CHOICE);
        names.add(CollectiveOptions.PREFIX + "table");
        for (Operation operation : Operation.values()) {
            names.add(CollectiveOptions.PREFIX + operation.label());
        }
        return names;
    }

    /**
     * What is wrong with the names of some system properties, in one sentence; empty if nothing is. Those that do not
     * begin as Galerna's do are not looked at.
     */
    public static Optional<String> complaint(Collection<String> properties) {
        List<String> own = properties.stream()
                .filter(name -> name.startsWith(PREFIX) && FREE.stream().noneMatch(name::startsWith))
                .sorted()
                .toList();
        if (own.isEmpty() || ofEngine().containsAll(own)) {
            return Optional.empty();
        }
        SortedSet<String> names = names();
        return own.stream()
                .filter(name -> !names.contains(name))
                .findFirst()
                .map(name -> "there is no system property " + name + nearest(name, names));
    }

    private static String nearest(String wrong, SortedSet<String> names) {
        List<String> ends =
                names.stream().map(name -> name.substring(PREFIX.length())).toList();
        return Spelling.nearest(wrong.substring(PREFIX.length()), ends)
                .map(end -> "; did you mean " + PREFIX + end + "?")
                .orElse("");
    }
}
