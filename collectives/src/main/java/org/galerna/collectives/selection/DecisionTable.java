package org.galerna.collectives.selection;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.galerna.collectives.algorithm.Algorithm;
import org.galerna.collectives.algorithm.Operation;
import org.galerna.collectives.team.TeamShape;

/**
 * Which algorithm serves which collective, as data. A table is a text of lines
 *
 * <pre>operation  device  ranks  bytes  algorithm</pre>
 *
 * <p>where {@code ranks} and {@code bytes} are upper bounds, as {@code <16}, and {@code *} stands for any. For {@code ranks}
 * {@code 32/host} stands for ranks on several hosts, at least 32 on each of them on average. Of the lines
 * for an operation the first one counts whose bounds hold and whose algorithm's restrictions admit the call. What
 * {@code bytes} means for each operation is said in {@link org.galerna.collectives.Collectives}. Empty lines and what
 * follows a {@code #} are ignored; the suffixes {@code K} and {@code M} stand for 1024 and 1024².
 *
 * <p>The last line of each operation must serve everything, so that a table always has an answer.
 */
public final class DecisionTable {
    private static final String STANDARD = "the standard table";
    private static final String EACH_HOST = "/host";
    private static final long KILO = 1L << 10;
    private static final long MEGA = 1L << 20;

    private final Map<Operation, List<Rule>> rules;

    private DecisionTable(Map<Operation, List<Rule>> rules) {
        this.rules = rules;
    }

    /**
     * One line of a table.
     *
     * @param device name of the device, or {@code "*"}
     * @param ranks exclusive upper bound of the number of ranks
     * @param onEachHost how many ranks each of several hosts has at least, on average; 0 for any, and for one host
     * @param bytes exclusive upper bound of the bytes
     * @param algorithm what runs then
     */
    public record Rule(Operation operation, String device, int ranks, int onEachHost, long bytes, Algorithm algorithm) {
        /** A line for any number of ranks on a host. */
        public Rule(Operation operation, String device, int ranks, long bytes, Algorithm algorithm) {
            this(operation, device, ranks, 0, bytes, algorithm);
        }

        boolean concerns(String deviceName, TeamShape team) {
            return (device.equals("*") || device.equals(deviceName))
                    && team.ranks() < ranks
                    && (onEachHost == 0 || team.hasOnEachHost(onEachHost))
                    && algorithm.restrictions().admits(team);
        }

        /** The line of a table. */
        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "%-15s %-7s %-7s %-7s %s",
                    operation.label(),
                    device,
                    ofRanks(),
                    bytes == Long.MAX_VALUE ? "*" : "<" + withUnit(bytes),
                    algorithm.name());
        }

        private String ofRanks() {
            if (onEachHost > 0) {
                return onEachHost + EACH_HOST;
            }
            return ranks == Integer.MAX_VALUE ? "*" : "<" + ranks;
        }

        private static String withUnit(long value) {
            if (value > 0 && value % MEGA == 0) {
                return value / MEGA + "M";
            }
            return value > 0 && value % KILO == 0 ? value / KILO + "K" : Long.toString(value);
        }

        private boolean servesEverything() {
            return device.equals("*")
                    && ranks == Integer.MAX_VALUE
                    && onEachHost == 0
                    && bytes == Long.MAX_VALUE
                    && algorithm.restrictions().areNone()
                    && algorithm.largest(2) == Long.MAX_VALUE;
        }
    }

    /** The table that comes with the library. */
    public static DecisionTable standard() {
        return Holder.STANDARD_TABLE;
    }

    private static final class Holder {
        static final DecisionTable STANDARD_TABLE =
                parse(STANDARD, StandardTable.LINES.lines().toList());
    }

    /**
     * Reads a table from a file; operations that it leaves out are decided by the standard table.
     *
     * @throws IllegalArgumentException if a line is wrong; the message names file and line
     * @throws UncheckedIOException if the file cannot be read
     */
    public static DecisionTable read(Path file) {
        try {
            return of(file.toString(), Files.readAllLines(file));
        } catch (CharacterCodingException binary) {
            throw new IllegalArgumentException(
                    "the table of collective algorithms " + file + " is not a text in UTF-8", binary);
        } catch (NoSuchFileException missing) {
            throw new IllegalArgumentException(
                    "there is no file " + file + " with a table of collective algorithms", missing);
        } catch (IOException failure) {
            throw new UncheckedIOException(
                    "cannot read the table of collective algorithms " + file + ": " + failure.getMessage(), failure);
        }
    }

    /**
     * Takes a table from the lines of a file, as {@link #read} does.
     *
     * @param source names it in errors
     * @throws IllegalArgumentException if a line is wrong; the message names source and line
     */
    public static DecisionTable of(String source, List<String> lines) {
        Map<Operation, List<Rule>> merged = new EnumMap<>(standard().rules);
        merged.putAll(parse(source, lines).rules);
        return new DecisionTable(merged);
    }

    /** Reads a table from its lines; {@code source} names it in errors. */
    static DecisionTable parse(String source, List<String> lines) {
        Map<Operation, List<Rule>> rules = new EnumMap<>(Operation.class);
        for (int number = 0; number < lines.size(); number++) {
            String line = lines.get(number).replaceFirst("#.*", "").strip();
            if (line.isEmpty()) {
                continue;
            }
            try {
                Rule rule = rule(line.split("\\s+"));
                rules.computeIfAbsent(rule.operation, _ -> new ArrayList<>()).add(rule);
            } catch (IllegalArgumentException wrong) {
                throw new IllegalArgumentException(
                        source + ", line " + (number + 1) + ": " + wrong.getMessage(), wrong);
            }
        }
        rules.forEach((operation, list) -> {
            if (!list.getLast().servesEverything()) {
                throw new IllegalArgumentException(source + ": the last line of " + operation
                        + " must be \"" + operation + " * * * algorithm\" with an algorithm that serves every number of"
                        + " ranks on any device, every size and every reduction");
            }
        });
        return new DecisionTable(rules);
    }

    private static Rule rule(String[] columns) {
        if (columns.length != 5) {
            throw new IllegalArgumentException("\"" + String.join(" ", columns) + "\" has " + columns.length
                    + " columns instead of 5 (operation device ranks bytes algorithm)");
        }
        Operation operation = Operation.labelled(columns[0]);
        int onEachHost = onEachHost(columns[2]);
        long ranks = onEachHost > 0 ? Integer.MAX_VALUE : bound(columns[2], Integer.MAX_VALUE);
        return new Rule(
                operation,
                columns[1],
                (int) Math.min(ranks, Integer.MAX_VALUE),
                onEachHost,
                bound(columns[3], Long.MAX_VALUE),
                Catalogue.find(operation, columns[4]));
    }

    /** The number before {@code /host}; 0 if that is not there. */
    private static int onEachHost(String text) {
        return text.matches("[1-9][0-9]{0,5}" + EACH_HOST) ? Integer.parseInt(text, 0, text.indexOf('/'), 10) : 0;
    }

    private static long bound(String text, long unbounded) {
        if (text.equals("*")) {
            return unbounded;
        }
        if (!text.matches("<[0-9]{1,15}[KM]?")) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is neither * nor an upper bound such as <4096 or <64K");
        }
        int end = text.length();
        long unit = 1;
        if (text.endsWith("K")) {
            unit = KILO;
            end--;
        } else if (text.endsWith("M")) {
            unit = MEGA;
            end--;
        }
        return Math.multiplyExact(Long.parseLong(text, 1, end, 10), unit);
    }

    /** All lines for an operation, in their order. */
    public List<Rule> rules(Operation operation) {
        return List.copyOf(rules.getOrDefault(operation, List.of()));
    }

    /** The lines that count for a team, in their order. */
    List<Rule> rulesFor(Operation operation, String device, TeamShape team) {
        return rules(operation).stream()
                .filter(rule -> rule.concerns(device, team))
                .toList();
    }
}
