package org.galerna.bench.galerna;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.galerna.bench.suite.Contender;
import org.galerna.bench.suite.ContenderException;
import org.galerna.bench.suite.ContenderFactory;
import org.galerna.bench.suite.ProcessContender;
import org.galerna.launch.BindTo;
import org.galerna.launch.GalernaJvm;
import org.galerna.launch.GalernaPath;
import org.galerna.launch.JobDescription;
import org.galerna.launch.JobMain;
import org.galerna.memory.Cpus;

/** Galerna's levels and the machine's limits, each in a JVM of its own. */
public final class GalernaSystems {
    /** Name of Galerna as a system. */
    public static final String GALERNA = "galerna";

    private static final int LIMIT_RANKS = 2;

    private GalernaSystems() {}

    /**
     * Package {@code mpi}.
     *
     * @param threads that send at once in each rank
     */
    public static ContenderFactory mpi(int threads) {
        String level = threads == 1 ? "mpi" : "mpi, " + threads + " threads";
        return new Jvm(GALERNA, level, Integer.MAX_VALUE, threads) {
            @Override
            List<String> command(int ranks) {
                List<String> command = GalernaJvm.command(List.of());
                command.add(JobMain.class.getName());
                command.addAll(new JobDescription(
                                ranks,
                                GalernaPath.classPath(),
                                MpiRank.class.getName(),
                                List.of(Integer.toString(threads)),
                                Optional.empty(),
                                false,
                                bindTo(ranks),
                                false,
                                Duration.ZERO,
                                Duration.ZERO,
                                OptionalLong.empty())
                        .toArguments());
                return command;
            }
        };
    }

    /**
     * Package {@code mpi} with each rank a process.
     *
     * @param device name of the device
     */
    public static ContenderFactory processes(String device) {
        return new Jvm(GALERNA, "mpi " + device, Integer.MAX_VALUE, 1) {
            @Override
            List<String> command(int ranks) {
                return ProcessRanks.command(0, ranks, device);
            }
        };
    }

    /** The device below package {@code mpi}. */
    public static ContenderFactory device() {
        return threads(GALERNA, "device", Integer.MAX_VALUE, "device");
    }

    /** The link below the device. */
    public static ContenderFactory link() {
        return threads(GALERNA, "link", Integer.MAX_VALUE, "link");
    }

    /** What two cores can tell each other. */
    public static ContenderFactory cacheLine() {
        return threads("cache line", "", LIMIT_RANKS, "cache-line");
    }

    /** What one core can copy. */
    public static ContenderFactory arrayCopy() {
        return threads("array copy", "", LIMIT_RANKS, "array-copy");
    }

    /**
     * Every contender binds its ranks, and all to the same cores: those whose turn it is not sleep. The launcher's own
     * choice would let the first one alone have the cores.
     */
    private static BindTo bindTo(int ranks) {
        return ranks <= Cpus.available() ? BindTo.CORE : BindTo.NONE;
    }

    private static ContenderFactory threads(String system, String level, int mostRanks, String argument) {
        return new Jvm(system, level, mostRanks, 1) {
            @Override
            List<String> command(int ranks) {
                List<String> command = GalernaJvm.command(List.of());
                command.addAll(List.of(ThreadRanks.class.getName(), argument, Integer.toString(ranks)));
                return command;
            }
        };
    }

    private abstract static class Jvm implements ContenderFactory {
        private final String system;
        private final String level;
        private final int mostRanks;
        private final int threads;

        Jvm(String system, String level, int mostRanks, int threads) {
            this.system = system;
            this.level = level;
            this.mostRanks = mostRanks;
            this.threads = threads;
        }

        /** Two of the same system and level are one contender. */
        @Override
        public boolean equals(Object other) {
            return other instanceof Jvm jvm && jvm.system.equals(system) && jvm.level.equals(level);
        }

        @Override
        public int hashCode() {
            return Objects.hash(system, level);
        }

        /** The command without the folder of the pipes, as galerna run starts it, without options of the user's. */
        abstract List<String> command(int ranks);

        @Override
        public String name() {
            return system;
        }

        @Override
        public Optional<String> unavailable() {
            return Optional.empty();
        }

        @Override
        public int threads() {
            return threads;
        }

        @Override
        public Contender start(int ranks) {
            if (ranks > mostRanks) {
                throw new ContenderException(system + " is for " + mostRanks + " ranks");
            }
            return ProcessContender.start(system, level, ranks, command(ranks), Map.of());
        }
    }
}
