package org.galerna.collectives;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Properties;
import org.galerna.collectives.algorithm.Operation;
import org.galerna.collectives.selection.Catalogue;
import org.galerna.collectives.selection.DecisionTable;

/**
 * How collectives choose their algorithms. System properties, which all ranks must have alike:
 *
 * <ul>
 *   <li>{@code galerna.coll.<operation>=<algorithm>}, e.g. {@code galerna.coll.bcast=binomial}, forces an algorithm
 *       wherever its restrictions admit it;
 *   <li>{@code galerna.coll.table=<file>} replaces the {@linkplain DecisionTable table of decisions}.
 * </ul>
 *
 * @param forced algorithms by name
 * @param table what decides for the other operations
 */
public record CollectiveOptions(Map<Operation, String> forced, DecisionTable table) {
    /** Prefix of the system properties. */
    public static final String PREFIX = "galerna.coll.";

    private static final String TABLE = "table";

    /**
     * Checks and copies.
     *
     * @throws IllegalArgumentException if there is no algorithm of a name; the message lists them
     */
    public CollectiveOptions {
        forced = Map.copyOf(forced);
        forced.forEach(Catalogue::find);
    }

    /** The standard table, and nothing forced. */
    public static CollectiveOptions standard() {
        return new CollectiveOptions(Map.of(), DecisionTable.standard());
    }

    /** As the system properties say. */
    public static CollectiveOptions fromSystemProperties() {
        return from(System.getProperties());
    }

    /**
     * As the given properties say; those without the prefix are ignored.
     *
     * @throws IllegalArgumentException if there is no operation or no algorithm of a name; the message lists them
     */
    public static CollectiveOptions from(Properties properties) {
        Map<Operation, String> forced = new EnumMap<>(Operation.class);
        DecisionTable table = DecisionTable.standard();
        for (String key : properties.stringPropertyNames()) {
            if (key.equals(PREFIX + TABLE)) {
                table = DecisionTable.read(Path.of(properties.getProperty(key)));
            } else if (key.startsWith(PREFIX)) {
                forced.put(Operation.labelled(key.substring(PREFIX.length())), properties.getProperty(key));
            }
        }
        return new CollectiveOptions(forced, table);
    }

    /** These options with one more algorithm forced. */
    public CollectiveOptions force(Operation operation, String algorithm) {
        Map<Operation, String> more = new EnumMap<>(Operation.class);
        more.putAll(forced);
        more.put(operation, algorithm);
        return new CollectiveOptions(more, table);
    }
}
