package org.galerna.bench.galerna;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.galerna.bench.build.GalernaBuild;
import org.galerna.bench.suite.Contender;
import org.galerna.bench.suite.ContenderException;
import org.galerna.bench.suite.ContenderFactory;
import org.galerna.bench.suite.ProcessContender;

/** What is measured in a JVM of its own: a level of Galerna, or a limit of the machine. */
final class JvmSystem implements ContenderFactory {
    private final String system;
    private final String level;
    private final int mostRanks;
    private final int threads;
    private final Start start;
    private final GalernaBuild build;

    /** How it is started. */
    @FunctionalInterface
    interface Start {
        /** The command without the folder of the pipes, as galerna run starts it, without options of the user's. */
        List<String> command(GalernaBuild build, int ranks);
    }

    private JvmSystem(String system, String level, int mostRanks, int threads, Start start, GalernaBuild build) {
        this.system = system;
        this.level = level;
        this.mostRanks = mostRanks;
        this.threads = threads;
        this.start = start;
        this.build = build;
    }

    /**
     * A level of this build of Galerna.
     *
     * @param threads of each rank that send at once
     */
    static JvmSystem level(String level, int threads, Start start) {
        GalernaBuild own = GalernaBuild.own();
        return new JvmSystem(own.system(), level, Integer.MAX_VALUE, threads, start, own);
    }

    /** A limit of the machine. */
    static JvmSystem limit(String system, int ranks, Start start) {
        return new JvmSystem(system, "", ranks, 1, start, GalernaBuild.own());
    }

    /** Two of the same system and level are one contender. */
    @Override
    public boolean equals(Object other) {
        return other instanceof JvmSystem jvm && jvm.system.equals(system) && jvm.level.equals(level);
    }

    @Override
    public int hashCode() {
        return Objects.hash(system, level);
    }

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
    public Optional<ContenderFactory> of(GalernaBuild other) {
        return level.isEmpty()
                ? Optional.empty()
                : Optional.of(new JvmSystem(other.system(), level, mostRanks, threads, start, other));
    }

    @Override
    public Contender start(int ranks) {
        if (ranks > mostRanks) {
            throw new ContenderException(system + " is for " + mostRanks + " ranks");
        }
        return ProcessContender.start(system, level, ranks, start.command(build, ranks), Map.of());
    }
}
