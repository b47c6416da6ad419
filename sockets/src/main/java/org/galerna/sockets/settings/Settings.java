package org.galerna.sockets.settings;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.galerna.link.LinkProvider;
import org.galerna.link.Reach;
import org.galerna.link.settings.Setting;
import org.jspecify.annotations.Nullable;

/**
 * What the user has set, by system properties {@code galerna.sockets…} or as options of the agent.
 *
 * @param enabled whether connections may be fast at all
 * @param verbose whether to say for every connection why it stays plain
 * @param include ports that may be fast; empty for all
 * @param exclude ports that stay plain
 * @param operations reads and writes after which a connection is worth the effort
 * @param bytes bytes after which it is
 * @param ringBytes room in each direction
 * @param connections most fast connections of this process at a time
 * @param folder where the folder is made in which processes find each other
 * @param pipes what bytes may go through besides TCP: {@link #SHARED_MEMORY}, and names of networks, the fastest first
 * @param key file with the key that hosts prove to each other; null if there is none
 */
public record Settings(
        boolean enabled,
        boolean verbose,
        List<Ports> include,
        List<Ports> exclude,
        int operations,
        long bytes,
        int ringBytes,
        int connections,
        Path folder,
        List<String> pipes,
        @Nullable Path key) {
    public static final String PREFIX = "galerna.sockets";
    private static final int HIGHEST_PORT = 65_535;

    /** System property: where shared memory is, as for ranks. */
    public static final String FOLDER = "galerna.shm.folder";

    /** Among the pipes: memory that processes of one host share. */
    public static final String SHARED_MEMORY = "shm";

    public static final int LEAST_RING = 1 << 14;
    public static final int MOST_RING = 1 << 26;

    private static final int DEFAULT_OPERATIONS = 8;
    private static final int DEFAULT_BYTES = 1 << 16;
    private static final int DEFAULT_RING = 1 << 18;
    private static final int DEFAULT_CONNECTIONS = 1024;

    /** Port numbers from the first to the last. */
    public record Ports(int first, int last) {}

    /**
     * The settings of this process.
     *
     * @throws IllegalArgumentException if one cannot be understood
     */
    public static Settings fromProperties() {
        String onOrOff = System.getProperty(PREFIX, "on").toLowerCase(Locale.ROOT);
        if (!onOrOff.equals("on") && !onOrOff.equals("off")) {
            throw new IllegalArgumentException(PREFIX + " is on or off, not \"" + onOrOff + "\"");
        }
        int ring = number("ring", DEFAULT_RING, LEAST_RING, MOST_RING);
        if (Integer.bitCount(ring) != 1) {
            throw new IllegalArgumentException(PREFIX + ".ring is a power of two, not " + ring);
        }
        String key = System.getProperty(PREFIX + ".key");
        return new Settings(
                onOrOff.equals("on"),
                Boolean.getBoolean(PREFIX + ".log"),
                ports("include"),
                ports("exclude"),
                number("after", DEFAULT_OPERATIONS, 0, Integer.MAX_VALUE),
                number("afterBytes", DEFAULT_BYTES, 0, Integer.MAX_VALUE),
                ring,
                number("connections", DEFAULT_CONNECTIONS, 0, 1 << 20),
                Path.of(System.getProperty(FOLDER, "/dev/shm")),
                pipesOfProperty(key != null && !key.isEmpty()),
                key == null || key.isEmpty() ? null : Path.of(key));
    }

    /** Sets properties as the agent's options say: {@code off,log,exclude=80+443,ring=1048576}. */
    public static void take(String options) {
        for (String option : options.split(",", -1)) {
            String word = option.strip();
            int equals = word.indexOf('=');
            if (word.equals("on") || word.equals("off")) {
                System.setProperty(PREFIX, word);
            } else if (word.equals("log") || word.equals("stats")) {
                System.setProperty(PREFIX + "." + word, "true");
            } else if (equals > 0
                    && word.substring(0, equals)
                            .matches("include|exclude|after|afterBytes|ring|connections|pipes|key")) {
                String name = word.substring(0, equals);
                String value = word.substring(equals + 1);
                System.setProperty(PREFIX + "." + name, name.equals("key") ? value : value.replace('+', ','));
            } else if (!word.isEmpty()) {
                throw new IllegalArgumentException(
                        "there is no option \"" + word
                                + "\": on, off, log, stats, include=<ports>, exclude=<ports>, after=<operations>, afterBytes=<bytes>, "
                                + "ring=<bytes>, connections=<number>, pipes=<names>, key=<file>, with + between ports and names");
            }
        }
    }

    private static int number(String name, int otherwise, int least, int most) {
        return Setting.number(PREFIX + "." + name, otherwise, least, most, "").get();
    }

    private static List<String> pipesOfProperty(boolean knowsKey) {
        String text = System.getProperty(PREFIX + ".pipes");
        if (text == null) {
            return defaultPipes(knowsKey);
        }
        List<String> pipes = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            String name = part.strip();
            if (!name.matches("[a-z][a-z-]*") || pipes.contains(name)) {
                throw new IllegalArgumentException(PREFIX + ".pipes lists names, such as "
                        + String.join(",", defaultPipes(true)) + ", not \"" + text + "\"");
            }
            pipes.add(name);
        }
        return List.copyOf(pipes);
    }

    /** Shared memory, and the networks that are better than sockets; these are not looked for where no key lets them be used. */
    private static List<String> defaultPipes(boolean knowsKey) {
        List<String> pipes = new ArrayList<>(List.of(SHARED_MEMORY));
        if (knowsKey) {
            LinkProvider.placed().stream()
                    .filter(link -> link.reach() == Reach.NETWORK && !link.usesSockets())
                    .forEach(link -> pipes.add(link.name()));
        }
        return List.copyOf(pipes);
    }

    /** Whether processes of one host may share memory. */
    public boolean sharesMemory() {
        return pipes.contains(SHARED_MEMORY);
    }

    /** Names of the networks that bytes may go through. */
    public List<String> networks() {
        return pipes.stream().filter(name -> !name.equals(SHARED_MEMORY)).toList();
    }

    /** One port, or a range from a lower to a higher one. */
    private static boolean isPorts(String word) {
        if (!word.matches("\\d{1,5}(-\\d{1,5})?")) {
            return false;
        }
        String[] ends = word.split("-");
        int last = Integer.parseInt(ends[ends.length - 1]);
        return Integer.parseInt(ends[0]) <= last && last <= HIGHEST_PORT;
    }

    private static List<Ports> ports(String name) {
        List<Ports> ports = new ArrayList<>();
        String text = System.getProperty(PREFIX + "." + name, "");
        for (String part : text.split(",", -1)) {
            String word = part.strip();
            if (word.isEmpty()) {
                continue;
            }
            if (!isPorts(word)) {
                throw new IllegalArgumentException(
                        PREFIX + "." + name + " lists ports, such as 80,8000-8100, not \"" + text + "\"");
            }
            String[] ends = word.split("-", -1);
            ports.add(new Ports(Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1])));
        }
        return ports;
    }

    /** Whether connections to this port may be fast. */
    public boolean allows(int port) {
        return enabled && (include.isEmpty() || contains(include, port)) && !contains(exclude, port);
    }

    private static boolean contains(List<Ports> list, int port) {
        return list.stream().anyMatch(ports -> port >= ports.first && port <= ports.last);
    }
}
