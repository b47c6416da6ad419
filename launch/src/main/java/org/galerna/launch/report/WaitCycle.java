package org.galerna.launch.report;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Who waits for whom in a circle. */
public final class WaitCycle {
    private WaitCycle() {}

    /** Ranks found on a walk along "waits for" that comes back to where it was; empty if every walk ends. */
    public static List<Integer> find(List<Deadlock.Waiter> waiters) {
        Map<Integer, List<Integer>> waitsFor = new TreeMap<>();
        for (Deadlock.Waiter waiter : waiters) {
            if (waiter.peer() != Deadlock.Waiter.ANYBODY) {
                waitsFor.computeIfAbsent(waiter.rank(), rank -> new ArrayList<>())
                        .add(waiter.peer());
            }
        }
        Set<Integer> done = new HashSet<>();
        for (Integer start : waitsFor.keySet()) {
            List<Integer> path = new ArrayList<>();
            List<Integer> cycle = walk(start, waitsFor, path, done);
            if (!cycle.isEmpty()) {
                return cycle;
            }
        }
        return List.of();
    }

    private static List<Integer> walk(
            Integer rank, Map<Integer, List<Integer>> waitsFor, List<Integer> path, Set<Integer> done) {
        int seen = path.indexOf(rank);
        if (seen >= 0) {
            return List.copyOf(path.subList(seen, path.size()));
        }
        if (!done.add(rank)) {
            return List.of();
        }
        path.add(rank);
        for (Integer peer : waitsFor.getOrDefault(rank, List.of())) {
            List<Integer> cycle = walk(peer, waitsFor, path, done);
            if (!cycle.isEmpty()) {
                return cycle;
            }
        }
        path.removeLast();
        return List.of();
    }
}
