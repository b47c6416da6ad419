package org.galerna.launch.report;

import java.util.Map;

/** Signals that end processes, by their numbers on Linux. */
public final class SignalNames {
    private static final Map<Integer, String> NAMES = Map.ofEntries(
            Map.entry(1, "SIGHUP"),
            Map.entry(2, "SIGINT"),
            Map.entry(3, "SIGQUIT"),
            Map.entry(4, "SIGILL"),
            Map.entry(6, "SIGABRT"),
            Map.entry(7, "SIGBUS"),
            Map.entry(8, "SIGFPE"),
            Map.entry(9, "SIGKILL"),
            Map.entry(10, "SIGUSR1"),
            Map.entry(11, "SIGSEGV"),
            Map.entry(12, "SIGUSR2"),
            Map.entry(15, "SIGTERM"),
            Map.entry(24, "SIGXCPU"));

    private SignalNames() {}

    /** {@code signal 9 (SIGKILL)}. */
    public static String of(int signal) {
        String name = NAMES.get(signal);
        return "signal " + signal + (name == null ? "" : " (" + name + ")");
    }
}
