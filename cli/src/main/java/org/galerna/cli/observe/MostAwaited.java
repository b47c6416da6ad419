package org.galerna.cli.observe;

import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.galerna.link.counters.RankReport;

/**
 * Ranks that others wait for, and that wait for nobody. A rank that waits for one that waits itself counts where the chain ends; those
 * that wait in a cycle count nowhere.
 */
final class MostAwaited {
    private static final int MOST = 4;

    private final Map<Integer, Integer> direct = new HashMap<>();
    private final Map<Integer, Integer> all = new TreeMap<>();

    private MostAwaited(Map<Integer, Integer> awaited) {
        awaited.values().forEach(peer -> direct.merge(peer, 1, Integer::sum));
        awaited.keySet().forEach(rank -> {
            Set<Integer> seen = new HashSet<>();
            Integer last = rank;
            while (awaited.containsKey(last) && seen.add(last)) {
                last = awaited.get(last);
            }
            if (!seen.contains(last)) {
                all.merge(last, 1, Integer::sum);
            }
        });
    }

    /**
     * In one line, the most awaited first; empty if nobody waits for another rank.
     *
     * @param longest the call of a rank that has waited longest, if it waits for long
     */
    static String line(List<RankReport> alive, Function<RankReport, Optional<RankReport.Waiting>> longest) {
        Map<Integer, Integer> awaited = new HashMap<>();
        for (RankReport rank : alive) {
            longest.apply(rank)
                    .filter(waiting -> waiting.peer() >= 0)
                    .ifPresent(waiting -> awaited.put(rank.rank(), waiting.peer()));
        }
        MostAwaited most = new MostAwaited(awaited);
        return most.all.entrySet().stream()
                .sorted(Map.Entry.<Integer, Integer>comparingByValue(Comparator.reverseOrder()))
                .limit(MOST)
                .map(each -> "rank " + each.getKey() + " (by " + most.numbers(each.getKey(), each.getValue()) + ")")
                .collect(Collectors.joining(", ", most.all.isEmpty() ? "" : "most awaited: ", ""));
    }

    private String numbers(int rank, int number) {
        int directly = direct.getOrDefault(rank, 0);
        return directly == number ? String.valueOf(number) : number + ", " + directly + " directly";
    }
}
