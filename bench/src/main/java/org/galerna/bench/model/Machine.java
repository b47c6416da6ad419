package org.galerna.bench.model;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Hosts of one kind and the network between them, as a file of parameters describes them. Ranks are placed host by host, and
 * on a host socket by socket.
 *
 * @param name what it is called
 * @param ranksPerHost ranks on a host, at least 1
 * @param socketsPerHost sockets of a host, at least 1
 * @param coresPerHost cores that the ranks of a host share
 * @param turn seconds to hand a core from a rank that waits to one that can go on, where ranks share cores
 * @param wake seconds to wake a rank that sleeps, until it goes on, where ranks share cores
 * @param looks how often a rank that waits looks for its message, a turn each time, before it sleeps, where ranks share cores
 * @param copyPerByte seconds to copy a byte inside a rank
 * @param combinePerByte seconds to combine a byte of two vectors
 * @param memoryPerByte seconds that a byte which moves inside a host, or is combined there, keeps the memory that all of its
 *     ranks share; 0 if that is fast enough for all
 * @param links what messages cost
 */
public record Machine(
        String name,
        int ranksPerHost,
        int socketsPerHost,
        int coresPerHost,
        double turn,
        double wake,
        int looks,
        double copyPerByte,
        double combinePerByte,
        double memoryPerByte,
        Map<Level, LinkCost> links) {
    private static final Pattern QUANTITY =
            Pattern.compile("([0-9]+(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)\\s*([a-zA-Zµ/]*)");
    private static final double KIBI = 1024;

    private static final String NAME = "name";
    private static final String RANKS = "host.ranks";
    private static final String SOCKETS = "host.sockets";
    private static final String CORES = "host.cores";
    private static final String TURN = "host.turn";
    private static final String WAKE = "host.wake";
    private static final String LOOKS = "host.looks";
    private static final String MEMORY = "host.memory";
    private static final String COPY = "rank.copy";
    private static final String COMBINE = "rank.combine";

    /** Copies. */
    public Machine {
        links = Map.copyOf(links);
    }

    /** What a message between ranks of that distance costs. */
    LinkCost link(Level level) {
        LinkCost cost = links.get(level);
        if (cost == null) {
            throw new IllegalStateException("no " + level);
        }
        return cost;
    }

    /** The host of a rank. */
    int hostOf(int rank) {
        return rank / ranksPerHost;
    }

    /** The socket of a rank; numbers of different hosts differ. */
    int socketOf(int rank) {
        int host = rank / ranksPerHost;
        int beside = rank % ranksPerHost;
        return host * socketsPerHost + (int) ((long) beside * socketsPerHost / ranksPerHost);
    }

    /** How far two ranks are from each other. */
    Level between(int one, int other) {
        if (hostOf(one) != hostOf(other)) {
            return Level.NETWORK;
        }
        return socketOf(one) == socketOf(other) ? Level.SOCKET : Level.HOST;
    }

    /** The same with other ranks on each host. */
    public Machine withRanksPerHost(int ranks) {
        return with(ranks, Math.min(socketsPerHost, ranks), turn, wake, links);
    }

    /** The same with other costs of ranks that share cores, in seconds. */
    Machine withSharing(double newTurn, double newWake) {
        return with(ranksPerHost, socketsPerHost, newTurn, newWake, links);
    }

    /** The same with other costs of messages. */
    Machine withLinks(Map<Level, LinkCost> others) {
        return with(ranksPerHost, socketsPerHost, turn, wake, others);
    }

    private Machine with(int ranks, int sockets, double newTurn, double newWake, Map<Level, LinkCost> newLinks) {
        return new Machine(
                name,
                ranks,
                sockets,
                coresPerHost,
                newTurn,
                newWake,
                looks,
                copyPerByte,
                combinePerByte,
                memoryPerByte,
                newLinks);
    }

    /**
     * Reads a file of parameters.
     *
     * @throws IllegalArgumentException if something in it is missing or wrong; the message names the file and the parameter
     * @throws IOException if it cannot be read
     */
    public static Machine read(Path file) throws IOException {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        }
        try {
            return of(properties);
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException(file + ": " + wrong.getMessage(), wrong);
        }
    }

    /**
     * Takes the parameters.
     *
     * @throws IllegalArgumentException if something is missing or wrong; the message names the parameter
     */
    static Machine of(Properties properties) {
        Set<String> unknown = new TreeSet<>(properties.stringPropertyNames());
        Parameters from = new Parameters(properties, unknown);
        Map<Level, LinkCost> links = new EnumMap<>(Level.class);
        for (Level level : List.of(Level.HOST, Level.SOCKET)) {
            if (from.has(level.label() + ".latency")) {
                links.put(level, from.link(level));
            }
        }
        // ranks that are nearer than what the file speaks of are as far as that
        LinkCost network = from.link(Level.NETWORK);
        LinkCost host = links.getOrDefault(Level.HOST, network);
        links.put(Level.NETWORK, network);
        links.put(Level.HOST, host);
        links.putIfAbsent(Level.SOCKET, host);
        int ranks = from.count(RANKS, 1, 1);
        Machine machine = new Machine(
                from.text(NAME, "unnamed"),
                ranks,
                from.count(SOCKETS, 1, 1),
                from.count(CORES, 1, ranks),
                from.seconds(TURN, "0 s"),
                from.seconds(WAKE, "0 s"),
                from.count(LOOKS, 0, 0),
                from.secondsPerByte(COPY, "10 GB/s"),
                from.secondsPerByte(COMBINE, "5 GB/s"),
                from.has(MEMORY) ? from.secondsPerByte(MEMORY, null) : 0,
                links);
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException("there is no parameter " + String.join(", ", unknown));
        }
        if (machine.socketsPerHost > machine.ranksPerHost) {
            throw new IllegalArgumentException(
                    SOCKETS + " is larger than " + RANKS + ": a socket without a rank counts for nothing");
        }
        return machine;
    }

    private record Parameters(Properties properties, Set<String> unread) {
        boolean has(String key) {
            return properties.containsKey(key);
        }

        String text(String key, String otherwise) {
            unread.remove(key);
            return properties.getProperty(key, otherwise).strip();
        }

        LinkCost link(Level level) {
            String prefix = level.label() + ".";
            double overhead = seconds(prefix + "overhead", null);
            return new LinkCost(
                    seconds(prefix + "latency", null),
                    overhead,
                    seconds(prefix + "gap", overhead + " s"),
                    secondsPerByte(prefix + "bandwidth", null),
                    secondsPerByte(prefix + "copy", "1e30 GB/s"),
                    Math.round(quantity(
                            prefix + "announced", "8 KiB", Map.of("B", 1.0, "KiB", KIBI, "MiB", KIBI * KIBI))));
        }

        int count(String key, int least, int otherwise) {
            double count = quantity(key, Integer.toString(otherwise), Map.of("", 1.0));
            if (count < least || count != Math.rint(count) || count > 1 << 20) {
                throw new IllegalArgumentException(key + " is a whole number from " + least + " to " + (1 << 20));
            }
            return (int) count;
        }

        double seconds(String key, @Nullable String otherwise) {
            return quantity(key, otherwise, Map.of("s", 1.0, "ms", 1e-3, "us", 1e-6, "µs", 1e-6, "ns", 1e-9));
        }

        double secondsPerByte(String key, @Nullable String otherwise) {
            return 1 / quantity(key, otherwise, Map.of("B/s", 1.0, "MB/s", 1e6, "GB/s", 1e9));
        }

        private double quantity(String key, @Nullable String otherwise, Map<String, Double> units) {
            unread.remove(key);
            String text = properties.getProperty(key, otherwise);
            if (text == null) {
                throw new IllegalArgumentException("the parameter " + key + " is missing");
            }
            Matcher matcher = QUANTITY.matcher(text.strip());
            Double unit = matcher.matches() ? units.get(matcher.group(2)) : null;
            if (unit == null) {
                throw new IllegalArgumentException(key + " = " + text.strip() + " is not a number"
                        + (units.containsKey("")
                                ? ""
                                : " with one of the units " + String.join(", ", new TreeSet<>(units.keySet()))));
            }
            return Double.parseDouble(matcher.group(1)) * unit;
        }
    }

    /** The lines of a file of parameters that says the same. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(NAME + " = " + name);
        lines.add("");
        lines.add(RANKS + " = " + ranksPerHost);
        lines.add(SOCKETS + " = " + socketsPerHost);
        lines.add(CORES + " = " + coresPerHost);
        lines.add(TURN + " = " + time(turn));
        lines.add(WAKE + " = " + time(wake));
        lines.add(LOOKS + " = " + looks);
        lines.add(COPY + " = " + rate(copyPerByte));
        lines.add(COMBINE + " = " + rate(combinePerByte));
        if (memoryPerByte > 0) {
            lines.add(MEMORY + " = " + rate(memoryPerByte));
        }
        for (Level level : Level.values()) {
            LinkCost cost = link(level);
            String prefix = level.label() + ".";
            lines.add("");
            lines.add(prefix + "latency = " + time(cost.latency()));
            lines.add(prefix + "overhead = " + time(cost.overhead()));
            lines.add(prefix + "gap = " + time(cost.gap()));
            lines.add(prefix + "bandwidth = " + rate(cost.gapPerByte()));
            lines.add(prefix + "copy = " + rate(cost.overheadPerByte()));
            lines.add(prefix + "announced = " + cost.announced() + " B");
        }
        return lines;
    }

    private static String time(double seconds) {
        return String.format(Locale.ROOT, "%.4g us", seconds * 1e6);
    }

    private static String rate(double secondsPerByte) {
        return String.format(Locale.ROOT, "%.4g GB/s", 1e-9 / secondsPerByte);
    }
}
