package org.galerna.launch.process;

import java.util.List;
import org.galerna.nativeaccess.process.ProcessNiceness;

/**
 * The part of the processors that the ranks of a host get beside their agent. A thread that has just woken up gets a 64th of a processor
 * beside 63 that compute. The agent of a job that has lost a rank would wait seconds for the 50 ms in which it tells the others and
 * ends them. So ranks that crowd a host become nice when all have met: each of their threads gets a ninth of what a thread of the
 * agent gets that computes. Among themselves they stay equal.
 */
final class Crowd {
    /** Fewer ranks for each processor leave enough to the agent. */
    private static final int RANKS_OF_PROCESSOR = 16;

    private static final int NICENESS = 10;

    private Crowd() {}

    /** Makes processes nice, if so many ranks are in them that they crowd the processors of this host. Does not wait for that. */
    static void leaveRoom(List<RankProcess> all, int ranks) {
        if (isOne(ranks, Runtime.getRuntime().availableProcessors())) {
            List<RankProcess> copy = List.copyOf(all);
            Background.start("galerna-nice", () -> makeNice(copy));
        }
    }

    private static void makeNice(List<RankProcess> all) {
        int niceness = ProcessNiceness.ofCaller() + NICENESS;
        all.forEach(each -> each.makeNice(niceness));
    }

    static boolean isOne(int ranks, int processors) {
        return ranks > RANKS_OF_PROCESSOR * processors;
    }
}
