package org.galerna.profile.file;

import java.util.List;

/**
 * All that one rank has recorded. Times are those of {@link System#nanoTime} of its process, in nanoseconds; ranks of one host
 * share that clock.
 *
 * @param host number of its host in the job
 * @param processors of its host that ranks may use
 * @param clock what to add to its times for nanoseconds since 1970, by the clock of its host
 * @param begin when recording began
 * @param end when it ended
 * @param finished whether the rank has ended MPI in good order
 * @param sites the calls of the program, in the order in which the rank came to them; others name them by their index here
 * @param calls what is known of each site
 * @param gaps the time between two calls that follow each other
 * @param peers what it has sent to each rank, at least one message
 * @param sizes how many messages of the program it has sent by their bytes: 0, 1, 2–3, 4–7 and so on
 * @param timeline how its time was spent
 * @param messages some messages, the same ones at both ends
 * @param messageStride of how many messages with the same ends and tag one is here
 * @param untold messages of the program of which it is not known which end belongs to which; they are not in {@code messages}
 * @param collectives some calls that all ranks of a communicator make together, the same ones on all of them
 * @param collectiveStride of how many calls of a communicator one is here
 * @param trace the first calls and their messages, one by one
 */
public record RankFile(
        int rank,
        int size,
        int host,
        long pid,
        int processors,
        long clock,
        long begin,
        long end,
        boolean finished,
        List<Site> sites,
        List<Calls> calls,
        List<Gap> gaps,
        List<Peer> peers,
        List<Long> sizes,
        Timeline timeline,
        List<Message> messages,
        int messageStride,
        long untold,
        List<Together> collectives,
        int collectiveStride,
        Trace trace) {

    /**
     * The calls of one site.
     *
     * @param number how many
     * @param time their time, in nanoseconds
     * @param longest the longest of them
     * @param bytes of the messages of the program that they have sent or received, and of collectives what the rank
     *     {@linkplain CollectiveVolume gives} by their arguments
     */
    public record Calls(long number, long time, long longest, long bytes) {}

    /**
     * The time between a call and the next: what the program does itself.
     *
     * @param from site of the call before
     * @param to site of the call after
     */
    public record Gap(int from, int to, long number, long time) {}

    /**
     * What has been sent to one rank.
     *
     * @param messages those of the program, sent from one rank to another
     * @param collectiveMessages those of collective operations
     */
    public record Peer(int rank, long messages, long bytes, long collectiveMessages, long collectiveBytes) {}

    /**
     * How time was spent, in slices of equal length.
     *
     * @param begin of the first slice
     * @param width of a slice, in nanoseconds
     * @param slices for each kind of call, in the order of {@link org.galerna.profile.CallKind}, the nanoseconds of each slice; and
     *     last those in which nothing was recorded
     */
    public record Timeline(long begin, long width, List<long[]> slices) {}

    /**
     * One end of a message.
     *
     * @param key the same at both ends, and of no other message
     * @param sent whether this is the end of the sender
     * @param peer rank at the other end
     * @param begun when the send was called, or the receive
     * @param waitBegun begin of the call in which it ended
     * @param waitEnded end of that call
     * @param site that call; -1 if it is not known
     */
    public record Message(
            long key, boolean sent, int peer, long bytes, long begun, long waitBegun, long waitEnded, int site) {}

    /**
     * A call that all ranks of a communicator make together.
     *
     * @param key the same on all of them, and of no other call
     */
    public record Together(long key, long begun, long ended, int site) {}

    /**
     * What the rank did first, one by one.
     *
     * @param whole whether that is all it did
     * @param communicators those that it had; others name them by their index here
     * @param calls in the order of their ends
     */
    public record Trace(
            boolean whole, List<Communicator> communicators, List<Call> calls, List<TracedMessage> messages) {}

    /**
     * Ranks that send messages to each other.
     *
     * @param contexts the first of its contexts
     * @param members ranks in the job, in the order of the communicator; of an intercommunicator those of the other group
     */
    public record Communicator(int contexts, List<Integer> members) {}

    /**
     * One call.
     *
     * @param thread number of the thread within the rank
     * @param communicator index of the communicator whose ranks make the call together; -1 for other calls
     * @param bytes of its messages, or what the rank gives to the collective operation
     * @param root of a call that ranks make together, the rank in the communicator whose data it is about; -1 if there is none
     * @param given of such a call, bytes of one item of what the rank gives: of a block where it gives one to each rank alike, or else
     *     of all
     * @param gotten of what it gets, likewise
     */
    public record Call(
            int thread,
            int site,
            long begun,
            long ended,
            int communicator,
            long bytes,
            int root,
            long given,
            long gotten) {}

    /**
     * One end of a message. If no call with this beginning is there, it was in none that is known.
     *
     * @param key the same at both ends, and of no other message
     * @param sent whether this is the end of the sender
     * @param peer rank in the job at the other end
     * @param communicator its index
     * @param thread that sent it or posted the receive
     * @param begun begin of the call that sent it or posted the receive
     * @param endThread thread in whose call it ended
     * @param waitBegun begin of the call in which it ended; that is {@code begun} if it was the same one
     * @param waitEnded end of that call
     */
    public record TracedMessage(
            long key,
            boolean sent,
            int peer,
            int tag,
            int communicator,
            long bytes,
            int thread,
            long begun,
            int endThread,
            long waitBegun,
            long waitEnded) {}
}
