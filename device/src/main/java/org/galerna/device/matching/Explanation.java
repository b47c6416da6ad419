package org.galerna.device.matching;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.galerna.link.Wireup;
import org.galerna.link.events.FlightEvents;

/** By which link a rank reaches the others, and what is against the faster ones, as text for people. */
final class Explanation {
    private Explanation() {}

    /** A way to some peers, with what is against faster links. */
    private record Way(String link, String against) {}

    private static Map<Way, List<Integer>> groups(OpenedLinks links, Wireup wireup) {
        Map<Way, List<Integer>> groups = new LinkedHashMap<>();
        for (int peer = 0; peer < wireup.size(); peer++) {
            if (peer != wireup.rank()) {
                groups.computeIfAbsent(way(links, peer), unseen -> new ArrayList<>())
                        .add(peer);
            }
        }
        return groups;
    }

    private static Way way(OpenedLinks links, int peer) {
        // said of a group, so without the number of the peer
        return new Way(
                links.link().via(peer).name(),
                String.join("; ", links.against(peer)).replace("rank " + peer + " ", "the peer "));
    }

    /** A line for each group of peers that the same is true of. */
    static List<String> of(OpenedLinks links, Wireup wireup) {
        List<String> lines = new ArrayList<>();
        groups(links, wireup)
                .forEach((way, peers) -> lines.add("rank " + wireup.rank() + " reaches "
                        + (peers.size() == 1 ? "rank " : "ranks ") + ranges(peers) + " by " + way.link
                        + (way.against.isEmpty() ? "" : " (" + way.against + ")")));
        return lines;
    }

    /** Tells flight recorder. */
    static void record(OpenedLinks links, Wireup wireup) {
        if (FlightEvents.areRecorded()) {
            groups(links, wireup)
                    .forEach((way, peers) ->
                            FlightEvents.linkChosen(wireup.rank(), ranges(peers), way.link, way.against));
        }
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
