package org.galerna.profile.analysis;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.galerna.profile.file.RankFile;

/**
 * Puts the threads of a rank on tracks of a trace. A thread has a track of its own, but threads that come one after another share
 * one, so that short-lived threads make no more tracks than run at a time. The first track is that of the thread that came first.
 */
public final class Tracks {
    private final Map<Integer, Integer> byThread = new HashMap<>();
    private final int number;

    /** When a thread has made its first call and its last one. */
    private record Lifetime(int thread, long begin, long end) {}

    /** The tracks of a rank; at least one. */
    public Tracks(RankFile file) {
        Map<Integer, Lifetime> lifetimes = new HashMap<>();
        for (RankFile.Call call : file.trace().calls()) {
            add(lifetimes, call.thread(), call.begun(), call.ended());
        }
        for (RankFile.TracedMessage message : file.trace().messages()) {
            add(lifetimes, message.thread(), message.begun(), message.begun());
            add(lifetimes, message.endThread(), message.waitBegun(), message.waitEnded());
        }
        List<Long> ends = new ArrayList<>(); // of each track
        lifetimes.values().stream()
                .sorted(Comparator.comparingLong(Lifetime::begin))
                .forEach(each -> byThread.put(each.thread, trackFor(each, ends)));
        number = Math.max(1, ends.size());
    }

    private static void add(Map<Integer, Lifetime> lifetimes, int thread, long begin, long end) {
        lifetimes.merge(
                thread,
                new Lifetime(thread, begin, end),
                (one, two) -> new Lifetime(thread, Math.min(one.begin, two.begin), Math.max(one.end, two.end)));
    }

    private static int trackFor(Lifetime thread, List<Long> ends) {
        for (int track = 0; track < ends.size(); track++) {
            if (ends.get(track) < thread.begin) {
                ends.set(track, thread.end);
                return track;
            }
        }
        ends.add(thread.end);
        return ends.size() - 1;
    }

    /** The track of a thread. */
    public int of(int thread) {
        return byThread.getOrDefault(thread, 0);
    }

    /** How many there are. */
    public int number() {
        return number;
    }

    /** The name of a track, such as {@code rank 3} or {@code rank 3, thread 2}. */
    public static String name(int rank, int track) {
        return track == 0 ? "rank " + rank : "rank " + rank + ", thread " + (track + 1);
    }
}
