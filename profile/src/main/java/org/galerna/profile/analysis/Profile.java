package org.galerna.profile.analysis;

import java.util.List;
import org.galerna.profile.CallKind;

/**
 * A job: what its ranks have done, and what it costs. All times are in seconds; those of the timeline count from the begin of
 * the job.
 *
 * @param ranks number of ranks of the job
 * @param missing ranks that have left no file: they were killed, or their host does not see the folder
 * @param seconds from the begin of the first rank to the end of the last
 * @param each the ranks that have left a file, in their order
 * @param sites the calls of the program by place, those that take most time first
 * @param matrix who has sent to whom
 * @param sizes messages of the program by their length: of 0 bytes, of 1, of 2 to 3, of 4 to 7 and so on
 * @param untold messages of the program that {@code waits} tells nothing of, because it is not known which send belongs to which
 *     receive: of each rank those that it has sent, and those that it has received
 * @param waits between two ranks: one waits because the other is late; those that cost most first
 * @param together waits for the last rank in collective operations; those that cost most first
 * @param computing what the program does between two calls, where one rank takes longer than the others
 * @param advice what is worth a look, the most expensive first
 */
public record Profile(
        int ranks,
        List<Integer> missing,
        double seconds,
        List<Rank> each,
        List<SiteRow> sites,
        List<Cell> matrix,
        List<Long> sizes,
        long untold,
        List<Wait> waits,
        List<Together> together,
        List<Computing> computing,
        List<Advice> advice) {

    /**
     * One rank.
     *
     * @param processors of its host that ranks may use
     * @param finished whether it has ended MPI in good order
     * @param inCalls seconds in calls of each kind, in the order of {@link CallKind}
     * @param outside seconds that it did not spend in calls
     * @param notRecorded seconds in which it did not record what it did
     * @param timeline for each kind of call the share of time that it had, slice by slice, each of {@code slice} seconds
     * @param slicesBegin begin of the first slice
     * @param gaps the share of each slice in which it did not record
     */
    public record Rank(
            int rank,
            int host,
            int processors,
            boolean finished,
            double begin,
            double end,
            List<Double> inCalls,
            double outside,
            double notRecorded,
            double slicesBegin,
            double slice,
            List<List<Double>> timeline,
            List<Double> gaps) {
        /** Seconds in which it recorded what it did. */
        public double recorded() {
            return end - begin - notRecorded;
        }

        /** Seconds in calls, without those that start and end MPI and make communicators. */
        public double communicating() {
            return inCalls.stream().mapToDouble(Double::doubleValue).sum() - inCalls.get(CallKind.SETUP.position());
        }
    }

    /**
     * A call in the program, of all ranks.
     *
     * @param ranks how many ranks have made it
     * @param longestRank the rank with the longest call
     * @param imbalance time of the rank that has spent most in it, divided by the mean of the ranks that make it
     */
    public record SiteRow(
            String place,
            String call,
            CallKind kind,
            int ranks,
            long number,
            double seconds,
            double longest,
            int longestRank,
            long bytes,
            double imbalance) {}

    /** What one rank has sent to another; messages of the program and those of collective operations apart. */
    public record Cell(int from, int to, long messages, long bytes, long collectiveMessages, long collectiveBytes) {}

    /** Which of two ranks is late. */
    public enum Late {
        /** The receiver waits, because the send is called late. */
        SENDER,
        /** The sender waits, because the receive is called late. */
        RECEIVER
    }

    /**
     * One rank waits for another.
     *
     * @param rank the one that waits
     * @param site where
     * @param other the one that is late
     * @param otherSite the call by which it comes
     * @param number how many messages; estimated if not all were kept
     */
    public record Wait(
            Late late,
            int rank,
            String site,
            int other,
            String otherSite,
            long number,
            double seconds,
            double longest) {}

    /**
     * Ranks wait for the last one in a collective operation.
     *
     * @param number how many calls; estimated if not all were kept
     * @param seconds that all ranks together have waited
     * @param lastRank the rank that the others have waited for longest
     * @param lastSeconds how long they have waited for that one
     */
    public record Together(String site, long number, double seconds, int lastRank, double lastSeconds) {}

    /**
     * What the program does between two calls that follow each other, where one rank takes longer.
     *
     * @param rank the one that takes longest
     * @param seconds that it takes
     * @param others mean of the other ranks
     */
    public record Computing(String from, String to, int rank, long number, double seconds, double others) {}

    /**
     * Something that is worth a look.
     *
     * @param seconds what it costs, over all ranks
     */
    public record Advice(String title, String text, double seconds) {}
}
