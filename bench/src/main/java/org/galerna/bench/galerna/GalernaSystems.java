package org.galerna.bench.galerna;

import java.util.List;
import org.galerna.bench.build.GalernaBuild;
import org.galerna.bench.suite.ContenderFactory;

/** Galerna's levels and the machine's limits, each in a JVM of its own. */
public final class GalernaSystems {
    /** Name of Galerna as a system. */
    public static final String GALERNA = GalernaBuild.GALERNA;

    private static final int LIMIT_RANKS = 2;

    private GalernaSystems() {}

    /**
     * Package {@code mpi}. Every contender binds its ranks, and all to the same cores: those whose turn it is not sleep. The
     * launcher's own choice would let the first one alone have the cores.
     *
     * @param threads that send at once in each rank
     */
    public static ContenderFactory mpi(int threads) {
        String level = threads == 1 ? "mpi" : "mpi, " + threads + " threads";
        return JvmSystem.level(
                level,
                threads,
                (build, ranks) ->
                        build.ranksAsThreads(ranks, MpiRank.class.getName(), List.of(Integer.toString(threads))));
    }

    /**
     * Package {@code mpi} with each rank a process.
     *
     * @param device name of the device
     */
    public static ContenderFactory processes(String device) {
        return JvmSystem.level("mpi " + device, 1, (build, ranks) -> ProcessRanks.command(build, 0, ranks, device));
    }

    /** The device below package {@code mpi}. */
    public static ContenderFactory device() {
        return JvmSystem.level("device", 1, threads("device"));
    }

    /** The link below the device. */
    public static ContenderFactory link() {
        return JvmSystem.level("link", 1, threads("link"));
    }

    /** What two cores can tell each other. */
    public static ContenderFactory cacheLine() {
        return JvmSystem.limit("cache line", LIMIT_RANKS, threads("cache-line"));
    }

    /** What one core can copy. */
    public static ContenderFactory arrayCopy() {
        return JvmSystem.limit("array copy", LIMIT_RANKS, threads("array-copy"));
    }

    private static JvmSystem.Start threads(String argument) {
        return (build, ranks) -> {
            List<String> command = build.java(List.of());
            command.addAll(List.of(ThreadRanks.class.getName(), argument, Integer.toString(ranks)));
            return command;
        };
    }
}
