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
import java.util.function.UnaryOperator;
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
 * @param sharing what it costs that ranks share cores, if there are fewer cores
 * @param room for messages inside a host, if its ranks share cores
 * @param copyPerByte seconds to copy a byte inside a rank
 * @param combinePerByte seconds to combine a byte of two vectors
 * @param memory what the ranks of a host have in common
 * @param links what messages cost
 */
public record Machine(
        String name,
        int ranksPerHost,
        int socketsPerHost,
        int coresPerHost,
        Sharing sharing,
        Room room,
        double copyPerByte,
        double combinePerByte,
        HostMemory memory,
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
    private static final String LOOK = "host.look";
    private static final String KEEP = "host.keep";
    private static final String KEEP_RATE = "host.keep.bandwidth";
    private static final String RESUME = "host.resume";
    private static final String QUEUE = "host.queue";
    private static final String QUEUE_MESSAGES = "host.queue.messages";
    private static final String RINGS = "host.rings";
    private static final String RING = "host.ring";
    private static final String RING_MESSAGES = "host.ring.messages";
    private static final String ROOM_SLEEP = "host.room.sleep";
    private static final String LONGEST_ROOM_SLEEP = "host.room.longest";
    private static final String LATE = "host.room.late";
    private static final String MEMORY = "host.memory";
    private static final String CACHE = "host.cache";
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
        return with(ranks, Math.min(socketsPerHost, ranks), sharing, copyPerByte, links);
    }

    /** The same with other costs of ranks that share cores. */
    Machine withSharing(Sharing other) {
        return with(ranksPerHost, socketsPerHost, other, copyPerByte, links);
    }

    /** The same with other seconds to copy a byte. */
    Machine withCopyPerByte(double seconds) {
        return with(ranksPerHost, socketsPerHost, sharing, seconds, links);
    }

    /** The same with other costs of messages inside a host. */
    Machine withLinksInside(UnaryOperator<LinkCost> change) {
        Map<Level, LinkCost> changed = new EnumMap<>(links);
        changed.replaceAll((level, cost) -> level == Level.NETWORK ? cost : change.apply(cost));
        return with(ranksPerHost, socketsPerHost, sharing, copyPerByte, changed);
    }

    private Machine with(int ranks, int sockets, Sharing newSharing, double newCopy, Map<Level, LinkCost> newLinks) {
        return new Machine(
                name, ranks, sockets, coresPerHost, newSharing, room, newCopy, combinePerByte, memory, newLinks);
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
                from.sharing(),
                from.room(),
                from.secondsPerByte(COPY, "10 GB/s"),
                from.secondsPerByte(COMBINE, "5 GB/s"),
                from.memory(),
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
                    bytes(prefix + "announced", "8 KiB"));
        }

        Sharing sharing() {
            double turn = seconds(TURN, "0 s");
            double wake = seconds(WAKE, "0 s");
            return new Sharing(
                    count(LOOKS, 0, 0),
                    seconds(LOOK, turn + " s"),
                    turn,
                    wake,
                    seconds(RESUME, "0 s"),
                    seconds(KEEP, "0 s"),
                    has(KEEP_RATE) ? secondsPerByte(KEEP_RATE, null) : 0);
        }

        HostMemory memory() {
            return new HostMemory(has(MEMORY) ? secondsPerByte(MEMORY, null) : 0, bytes(CACHE, "0 B"));
        }

        Room room() {
            if (!has(QUEUE)) {
                return Room.UNLIMITED;
            }
            return new Room(
                    count(QUEUE_MESSAGES, 1, 1 << 20),
                    bytes(QUEUE, null),
                    count(RINGS, 0, 0),
                    count(RING_MESSAGES, 1, 1 << 20),
                    bytes(RING, "1 MiB"),
                    seconds(ROOM_SLEEP, "100 us"),
                    seconds(LONGEST_ROOM_SLEEP, "1 ms"),
                    seconds(LATE, "0 s"));
        }

        long bytes(String key, @Nullable String otherwise) {
            return Math.round(quantity(key, otherwise, Map.of("B", 1.0, "KiB", KIBI, "MiB", KIBI * KIBI)));
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
        if (!sharing.equals(Sharing.FREE)) {
            lines.add(LOOKS + " = " + sharing.looks());
            lines.add(LOOK + " = " + time(sharing.look()));
            lines.add(TURN + " = " + time(sharing.turn()));
            lines.add(WAKE + " = " + time(sharing.wake()));
            lines.add(RESUME + " = " + time(sharing.resume()));
            lines.add(KEEP + " = " + time(sharing.keep()));
            if (sharing.keepPerByte() > 0) {
                lines.add(KEEP_RATE + " = " + rate(sharing.keepPerByte()));
            }
        }
        if (!room.equals(Room.UNLIMITED)) {
            lines.add(QUEUE + " = " + room.queueBytes() + " B");
            lines.add(QUEUE_MESSAGES + " = " + room.queueMessages());
            lines.add(RINGS + " = " + room.rings());
            lines.add(RING + " = " + room.ringBytes() + " B");
            lines.add(RING_MESSAGES + " = " + room.ringMessages());
            lines.add(ROOM_SLEEP + " = " + time(room.sleep()));
            lines.add(LONGEST_ROOM_SLEEP + " = " + time(room.longestSleep()));
            lines.add(LATE + " = " + time(room.late()));
        }
        lines.add(COPY + " = " + rate(copyPerByte));
        lines.add(COMBINE + " = " + rate(combinePerByte));
        if (memory.perByte() > 0) {
            lines.add(MEMORY + " = " + rate(memory.perByte()));
        }
        if (memory.cache() > 0) {
            lines.add(CACHE + " = " + memory.cache() + " B");
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
