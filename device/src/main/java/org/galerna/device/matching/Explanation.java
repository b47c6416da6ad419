package org.galerna.device.matching;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.galerna.link.Wireup;

/** By which link a rank reaches the others, and what is against the faster ones, as text for people. */
final class Explanation {
    private Explanation() {}

    /** A line for each group of peers that the same is true of. */
    static List<String> of(OpenedLinks links, Wireup wireup) {
        Map<String, List<Integer>> groups = new LinkedHashMap<>();
        for (int peer = 0; peer < wireup.size(); peer++) {
            if (peer != wireup.rank()) {
                groups.computeIfAbsent(way(links, peer), unseen -> new ArrayList<>())
                        .add(peer);
            }
        }
        List<String> lines = new ArrayList<>();
        groups.forEach((way, peers) -> lines.add("rank " + wireup.rank() + " reaches "
                + (peers.size() == 1 ? "rank " : "ranks ") + ranges(peers) + " by " + way));
        return lines;
    }

    private static String way(OpenedLinks links, int peer) {
        String name = links.link().via(peer).name();
        List<String> against = links.against(peer);
        if (against.isEmpty()) {
            return name;
        }
        // said of a group, so without the number of the peer
        return name + " (" + String.join("; ", against).replace("rank " + peer + " ", "the peer ") + ")";
    }

    private static String ranges(List<Integer> ranks) {
        List<String> ranges = new ArrayList<>();
        int first = 0;
        for (int next = 1; next <= ranks.size(); next++) {
            if (next == ranks.size() || ranks.get(next) != ranks.get(next - 1) + 1) {
                int from = ranks.get(first);
                int to = ranks.get(next - 1);
                ranges.add(from == to ? String.valueOf(from) : from + (to == from + 1 ? ", " : "-") + to);
                first = next;
            }
        }
        return String.join(", ", ranges);
    }
}
