package org.galerna.sockets;

import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import org.galerna.sockets.report.ConnectionLog;
import org.galerna.sockets.settings.Settings;
import org.galerna.sockets.socket.PlatformHooks;
import org.jspecify.annotations.Nullable;

/**
 * What Java starts before the program when it is given {@code -javaagent:galerna-sockets.jar}: opens the platform's sockets
 * to this module and {@linkplain FastSockets#install installs} fast ones. Whatever goes wrong, the program starts, and its
 * sockets are plain.
 */
public final class Agent {
    /** What Java starts: a class for any Java, which starts this one where Java is new enough. */
    static final String START = "org.galerna.sockets.AgentStart";

    private Agent() {}

    /** Before the program. */
    public static void premain(@Nullable String options, Instrumentation instrumentation) {
        start(options, instrumentation);
    }

    /** While the program runs, or before it as the agent of an executable jar. */
    public static void agentmain(@Nullable String options, Instrumentation instrumentation) {
        start(options, instrumentation);
    }

    /**
     * The options that have Java start with this agent.
     *
     * @param options of the agent, such as {@code log,exclude=80+443}; may be empty
     * @return empty if these classes are not in a jar that can be given to Java as an agent
     */
    public static Optional<List<String>> javaOptions(String options) {
        return jar().map(jar -> {
            List<String> java = new ArrayList<>();
            java.add("--enable-native-access=ALL-UNNAMED");
            java.add("-javaagent:" + jar + (options.isEmpty() ? "" : "=" + options));
            return java;
        });
    }

    /**
     * Reads options and system properties as the agent would, so that a wrong one is known before the program starts.
     *
     * @param options of the agent; may be empty
     * @throws IllegalArgumentException if one of them cannot be understood
     */
    public static void check(String options) {
        Properties before = (Properties) System.getProperties().clone();
        try {
            Settings.take(options);
            Settings unused = Settings.fromProperties();
        } finally {
            System.setProperties(before);
        }
    }

    /**
     * Opens packages of the platform to classes without a module, as the manifest of an executable jar asks for. Names of
     * modules that are not there are passed over, as Java does.
     *
     * @param exports such as {@code java.base/sun.nio.ch java.base/sun.net}; null for none
     * @param opens the same, for reflection
     */
    public static void open(@Nullable String exports, @Nullable String opens, Instrumentation instrumentation) {
        open(exports, instrumentation, false);
        open(opens, instrumentation, true);
    }

    private static void open(@Nullable String packages, Instrumentation instrumentation, boolean deep) {
        if (packages == null) {
            return;
        }
        Set<Module> us = Set.of(Agent.class.getModule());
        for (String name : packages.strip().split("\\s+", -1)) {
            int slash = name.indexOf('/');
            Optional<Module> module =
                    slash < 0 ? Optional.empty() : ModuleLayer.boot().findModule(name.substring(0, slash));
            String inside = name.substring(slash + 1);
            if (module.isPresent() && module.get().getPackages().contains(inside)) {
                Map<String, Set<Module>> opened = Map.of(inside, us);
                instrumentation.redefineModule(
                        module.get(), Set.of(), deep ? Map.of() : opened, deep ? opened : Map.of(), Set.of(), Map.of());
            }
        }
    }

    private static Optional<Path> jar() {
        CodeSource source = Agent.class.getProtectionDomain().getCodeSource();
        if (source == null || source.getLocation() == null) {
            return Optional.empty();
        }
        try {
            Path jar = Path.of(new URI(source.getLocation().toString()));
            if (!Files.isRegularFile(jar)) {
                return Optional.empty();
            }
            try (JarFile file = new JarFile(jar.toFile())) {
                Manifest manifest = file.getManifest();
                boolean agent = manifest != null
                        && START.equals(manifest.getMainAttributes().getValue("Premain-Class"));
                return agent ? Optional.of(jar) : Optional.empty();
            }
        } catch (IOException | URISyntaxException | IllegalArgumentException noFile) {
            return Optional.empty();
        }
    }

    private static void start(@Nullable String options, Instrumentation instrumentation) {
        try {
            Settings.take(options == null ? "" : options);
            if (!Settings.fromProperties().enabled()) {
                return;
            }
            Set<Module> us = Set.of(Agent.class.getModule());
            instrumentation.redefineModule(
                    Object.class.getModule(),
                    Set.of(),
                    Map.of(PlatformHooks.MARKED, us),
                    Map.of("java.net", us, "java.io", us, "sun.nio.ch", us, PlatformHooks.CHANNELS, us),
                    Set.of(),
                    Map.of());
            FastSockets.install(sockets -> PlatformHooks.install(instrumentation, sockets));
        } catch (RuntimeException | LinkageError cannot) {
            // an agent that throws ends the virtual machine
            ConnectionLog.off(String.valueOf(cannot.getMessage()));
        }
    }
}
