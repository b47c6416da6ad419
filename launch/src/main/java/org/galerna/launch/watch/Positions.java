package org.galerna.launch.watch;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.galerna.launch.report.RankPosition;
import org.galerna.launch.report.StackTraces;
import org.galerna.launch.report.ThreadPosition;
import org.galerna.link.Collective;
import org.galerna.link.RankMonitor;
import org.jspecify.annotations.Nullable;

/** Finds out where the ranks of a job are. */
public final class Positions {
    private Positions() {}

    /** The position of each rank, in the same order. */
    public static List<RankPosition> of(Collection<? extends ObservedRank> ranks) {
        return ranks.stream().map(Positions::of).toList();
    }

    /**
     * What a call waits for, in words. Of a collective that is the call which the program has made, not the messages that
     * it is made of: {@code "Bcast, root 0, 800 bytes"}, or {@code "Split, in Allgather, 36 bytes"}.
     */
    static String describe(RankMonitor.Blocked call, StackTraceElement[] stack) {
        Collective collective = call.collective();
        if (collective == null) {
            return call.operation();
        }
        String called = StackTraces.apiCall(stack);
        boolean isItself = called.isEmpty() || called.equalsIgnoreCase(collective.name());
        return isItself ? collective.describe() : called + ", in " + collective.describe();
    }

    private static RankPosition of(ObservedRank rank) {
        if (rank.hasEnded()) {
            return new RankPosition(rank.rank(), true, List.of());
        }
        Map<Thread, RankMonitor.Blocked> calls = new HashMap<>();
        RankMonitor monitor = rank.monitor();
        if (monitor != null) {
            monitor.blocked().forEach(call -> calls.put(call.thread(), call));
        }
        List<Thread> threads = new ArrayList<>(rank.threads());
        calls.keySet().stream().filter(Thread::isVirtual).forEach(threads::add);
        return new RankPosition(
                rank.rank(),
                false,
                threads.stream()
                        .map(thread -> position(thread, calls.get(thread)))
                        .toList());
    }

    private static ThreadPosition position(Thread thread, RankMonitor.@Nullable Blocked call) {
        String name = thread.getName().isEmpty() ? "virtual " + thread.threadId() : thread.getName();
        StackTraceElement[] frames = thread.getStackTrace();
        return call == null
                ? ThreadPosition.atWork(name, ThreadPosition.words(thread.getState()), frames)
                : ThreadPosition.inCall(
                        name, describe(call, frames), call.nanos(), call.peer(), StackTraces.ofProgramInCall(frames));
    }
}
