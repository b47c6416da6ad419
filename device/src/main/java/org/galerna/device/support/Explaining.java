package org.galerna.device.support;

import java.util.List;
import java.util.function.Supplier;
import org.galerna.link.process.OwnLog;

/** How a rank says by what it reaches the others, where users ask for that. */
public final class Explaining {
    /** System property: whether each rank says by what it reaches the others, and why not by something faster. */
    private static final String EXPLAIN = "galerna.explain";

    private static final System.Logger LOGGER = OwnLog.of(Explaining.class.getName());

    private Explaining() {}

    /** Says the lines, which are made only if somebody wants to know: of each rank, or of rank 0. */
    public static void say(int rank, Supplier<List<String>> lines) {
        if (Boolean.getBoolean(EXPLAIN) || (rank == 0 && OwnLog.isVerbose())) {
            log(lines);
        }
    }

    /** Says the lines of any rank if users ask for explanations. */
    public static void sayIfWanted(Supplier<List<String>> lines) {
        if (Boolean.getBoolean(EXPLAIN)) {
            log(lines);
        }
    }

    private static void log(Supplier<List<String>> lines) {
        lines.get().forEach(line -> LOGGER.log(System.Logger.Level.INFO, line));
    }
}
