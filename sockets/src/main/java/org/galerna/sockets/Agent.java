package org.galerna.sockets;

import java.lang.instrument.Instrumentation;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What Java starts before the program when it is given {@code -javaagent:galerna-sockets.jar}: opens the platform's sockets
 * to this module and {@linkplain FastSockets#install installs} fast ones. Whatever goes wrong, the program starts, and its
 * sockets are plain.
 */
public final class Agent {
    private Agent() {}

    /** Before the program. */
    public static void premain(@Nullable String options, Instrumentation instrumentation) {
        start(options, instrumentation);
    }

    /** While the program runs, or before it as the agent of an executable jar. */
    public static void agentmain(@Nullable String options, Instrumentation instrumentation) {
        start(options, instrumentation);
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
                    Map.of(),
                    Map.of("java.net", us, "java.io", us),
                    Set.of(),
                    Map.of());
            FastSockets.install();
        } catch (RuntimeException | LinkageError cannot) {
            // an agent that throws ends the virtual machine
            Journal.off(String.valueOf(cannot.getMessage()));
        }
    }
}
