package org.galerna.cli.options;

import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.galerna.cli.usage.MpjExpressWords;
import org.galerna.cli.usage.UsageException;
import org.galerna.collectives.CollectiveOptions;
import org.galerna.device.DeviceProvider;
import org.galerna.device.Devices;
import org.galerna.launch.ThreadJob;
import org.galerna.link.CommunicationException;
import org.galerna.link.Reach;
import org.galerna.link.settings.Spelling;
import org.galerna.link.wireup.Wireups;
import org.galerna.mpi.settings.KnownProperties;
import org.galerna.mpi.settings.Options;
import org.jspecify.annotations.Nullable;

/** Whether the system properties and variables of the environment that are meant for Galerna make sense to it. */
public final class SettingsCheck {
    private static final String VARIABLE = "GALERNA_";

    private static final List<String> VARIABLES =
            List.of("GALERNA_JAVA_OPTS", "GALERNA_SSH", "GALERNA_NO_ARCHIVE", "GALERNA_NO_INSTALL");

    private static final String EXPLAIN = "galerna.explain";
    private static final String DEFINITION = "-D";

    private SettingsCheck() {}

    /** A variable that is nearly one of Galerna's has been misspelled; others are somebody else's business. */
    public static void checkVariables(Collection<String> environment) {
        for (String name : new TreeSet<>(environment)) {
            if (name.startsWith(VARIABLE) && !VARIABLES.contains(name)) {
                List<String> ends = VARIABLES.stream()
                        .map(each -> each.substring(VARIABLE.length()))
                        .toList();
                Spelling.nearest(name.substring(VARIABLE.length()), ends).ifPresent(end -> {
                    throw new UsageException(
                            "Galerna knows no variable " + name + "; did you mean " + VARIABLE + end + "?");
                });
            }
        }
    }

    /** Checks the properties of this JVM: their names, and that each value can be read. */
    public static void checkProperties() {
        checkProperties(List.of(), () -> {});
    }

    /**
     * Checks the properties that a job is going to have.
     *
     * @param jvmOptions of the job
     * @param further what else is to be checked with these properties
     */
    public static void checkProperties(List<String> jvmOptions, Runnable further) {
        Map<String, String> given = definitions(jvmOptions);
        Set<String> all = new HashSet<>(System.getProperties().stringPropertyNames());
        all.addAll(given.keySet());
        if (all.stream().noneMatch(name -> name.startsWith(KnownProperties.PREFIX))) {
            further.run();
            return;
        }
        KnownProperties.complaint(all).ifPresent(complaint -> {
            throw new UsageException(complaint);
        });
        withProperties(given, () -> {
            readAll();
            further.run();
        });
    }

    private static Map<String, String> definitions(List<String> jvmOptions) {
        Map<String, String> definitions = new LinkedHashMap<>();
        for (String option : jvmOptions) {
            if (option.startsWith(DEFINITION + KnownProperties.PREFIX)) {
                int equals = option.indexOf('=');
                definitions.put(
                        option.substring(DEFINITION.length(), equals < 0 ? option.length() : equals),
                        equals < 0 ? "" : option.substring(equals + 1));
            }
        }
        return definitions;
    }

    /** As ranks read them. */
    private static void readAll() {
        try {
            Options options = Options.fromSystemProperties();
            if (!options.device().equals(Devices.AUTO)) {
                checkDevice(ThreadJob.DEVICE_PROPERTY, options.device());
            }
            String explained = System.getProperty(EXPLAIN, "false");
            if (!explained.equals("true") && !explained.equals("false")) {
                throw new UsageException(EXPLAIN + " must be true or false, not \"" + explained + "\"");
            }
            Wireups.checkChoice();
            Devices.checkSettings();
            CollectiveOptions unusedCollectives = CollectiveOptions.fromSystemProperties();
        } catch (IllegalArgumentException | CommunicationException wrong) {
            throw new UsageException(String.valueOf(wrong.getMessage()));
        } catch (UncheckedIOException unreadable) {
            throw new UsageException(String.valueOf(unreadable.getMessage()));
        }
    }

    /** Whether there is a device of that name. */
    public static void checkDevice(String option, String name) {
        if (Devices.find(name).isEmpty()) {
            throw new UsageException(option + ": there is no device \"" + name + "\""
                    + MpjExpressWords.insteadOfDevice(
                            name,
                            Spelling.nearest(name, Devices.names())
                                    .map(device -> "; did you mean " + device + "?")
                                    .orElse(", only " + String.join(", ", Devices.names()))));
        }
    }

    /** Whether a device connects ranks that are threads of one process, or that are not. */
    public static void checkReach(String option, String name, boolean oneProcess) {
        DeviceProvider device = Devices.find(name).orElseThrow();
        if (device.reach() == Reach.PROCESS && !oneProcess) {
            String others = Devices.all().stream()
                    .filter(other -> other.reach() == Reach.HOST)
                    .map(DeviceProvider::name)
                    .sorted()
                    .collect(Collectors.joining(" or "));
            throw new UsageException(option + " " + name + " connects "
                    + device.reach().words() + "; for ranks that are processes leave it out"
                    + (others.isEmpty() ? "" : ", or take " + others));
        }
    }

    private static void withProperties(Map<String, String> properties, Runnable action) {
        Map<String, @Nullable String> before = new HashMap<>();
        properties.forEach((name, value) -> before.put(name, System.setProperty(name, value)));
        try {
            action.run();
        } finally {
            before.forEach((name, value) -> {
                if (value == null) {
                    System.clearProperty(name);
                } else {
                    System.setProperty(name, value);
                }
            });
        }
    }
}
