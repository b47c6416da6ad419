package org.galerna.bench.tune;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.galerna.collectives.algorithm.Algorithm;
import org.galerna.collectives.algorithm.Operation;
import org.galerna.collectives.selection.Catalogue;
import org.galerna.collectives.selection.DecisionTable;

/** A table of decisions from what was found for one device; what was not looked at is decided as before. */
final class TunedTable {
    private final String device;
    private final String origin;

    /** Measured on one device. */
    TunedTable(String device) {
        this(device, "measured on " + device + " by galerna tune");
    }

    /**
     * For lines of one device.
     *
     * @param origin how the findings were made, for the first line
     */
    TunedTable(String device, String origin) {
        this.device = device;
        this.origin = origin;
    }

    /** The lines of the table, for every operation of which there are findings. */
    List<String> lines(List<Finding> findings) {
        List<String> lines = new ArrayList<>();
        lines.add("# Which algorithm serves which collective, " + origin + ".");
        lines.add("# To be used by -Dgalerna.coll.table=FILE on all ranks.");
        lines.add("#");
        lines.add("# operation     device  ranks   bytes   algorithm");
        for (Operation operation : Operation.values()) {
            List<Finding> ofOperation = findings.stream()
                    .filter(finding -> finding.operation() == operation)
                    .toList();
            if (!ofOperation.isEmpty()) {
                measured(operation, ofOperation).forEach(rule -> lines.add(rule.toString()));
                DecisionTable.standard().rules(operation).forEach(rule -> lines.add(rule.toString()));
                lines.add("");
            }
        }
        return lines;
    }

    private List<DecisionTable.Rule> measured(Operation operation, List<Finding> findings) {
        TreeMap<Integer, List<Finding>> byRanks =
                findings.stream().collect(Collectors.groupingBy(Finding::ranks, TreeMap::new, Collectors.toList()));
        List<DecisionTable.Rule> rules = new ArrayList<>();
        byRanks.forEach((ranks, ofRanks) -> {
            Integer more = byRanks.higherKey(ranks);
            int ranksBound = more == null ? Integer.MAX_VALUE : (int) between(ranks, more);
            List<Finding> bySize = ofRanks.stream()
                    .sorted((one, other) -> Long.compare(one.bytes(), other.bytes()))
                    .toList();
            for (int each = 0; each < bySize.size(); each++) {
                Finding finding = bySize.get(each);
                boolean last = each + 1 == bySize.size();
                if (last || !bySize.get(each + 1).choice().equals(finding.choice())) {
                    long bytesBound = last
                            ? Long.MAX_VALUE
                            : between(finding.bytes(), bySize.get(each + 1).bytes());
                    Algorithm algorithm = Catalogue.find(operation, finding.choice());
                    rules.add(new DecisionTable.Rule(operation, device, ranksBound, bytesBound, algorithm));
                }
            }
        });
        return rules;
    }

    /** Where one decision ends and the next begins: in the middle by ratio. */
    private static long between(long lower, long upper) {
        return (long) Math.floor(Math.sqrt((double) Math.max(1, lower) * upper)) + 1;
    }
}
