package org.galerna.link.threads;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Objects that some ranks of a job share, each known here from the first rank that asks until all have it. */
final class Meetings {
    private final Map<Object, List<Meeting>> open = new HashMap<>(); // guarded by this; oldest first

    /** The object of the oldest meeting under this key that the rank has not joined yet. */
    synchronized Object join(int rank, Object key, int parties, Supplier<?> maker) {
        List<Meeting> meetings = open.computeIfAbsent(key, _ -> new ArrayList<>());
        Meeting meeting = meetings.stream()
                .filter(each -> !each.joined.get(rank))
                .findFirst()
                .orElse(null);
        if (meeting == null) {
            meeting = new Meeting(maker.get());
            meetings.add(meeting);
        }
        meeting.joined.set(rank);
        if (meeting.joined.cardinality() == parties) {
            meetings.remove(meeting);
            if (meetings.isEmpty()) {
                open.remove(key);
            }
        }
        return meeting.shared;
    }

    /** Number of objects that ranks are still expected to ask for. */
    synchronized int unfinished() {
        return open.values().stream().mapToInt(List::size).sum();
    }

    private static final class Meeting {
        final Object shared;
        final BitSet joined = new BitSet();

        Meeting(Object shared) {
            this.shared = shared;
        }
    }
}
