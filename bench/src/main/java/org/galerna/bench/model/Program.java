package org.galerna.bench.model;

import java.util.Arrays;
import java.util.function.IntPredicate;
import org.galerna.collectives.team.Trace;

/**
 * What all ranks of a job do in one collective, rank after rank, in few bytes: a word for a step. When every rank has been
 * written down, sends and receives are matched as a device matches them, those of each pair of ranks in their order.
 */
final class Program {
    /** Kinds of steps. */
    enum Kind {
        SEND,
        RECEIVE,
        AWAIT,
        COPY,
        COMBINE
    }

    private static final Kind[] KINDS = Kind.values();

    private static final int KIND_BITS = 3;
    private static final int PEER_BITS = 21;
    private static final int PEER_SHIFT = KIND_BITS;
    private static final int VALUE_SHIFT = KIND_BITS + PEER_BITS;
    private static final int KIND_MASK = (1 << KIND_BITS) - 1;
    private static final int PEER_MASK = (1 << PEER_BITS) - 1;

    /** More messages, or steps, are not written down: the memory and the minutes are not worth it. */
    private static final int MOST_MESSAGES = 40_000_000;

    private static final int MOST_STEPS = 180_000_000;
    private static final long MOST_CALLS = 100_000_000_000L;

    /** More lengths that ranks tell each other are not followed. */
    private static final long MOST_TOLD = 40_000_000_000L;

    private long[] steps = new long[1 << 16];
    private int length;
    /** Where the steps of each rank start; one more than ranks. */
    private final int[] starts;
    /** For a send or a receive the number of its message, for an await the step that it awaits. */
    private int[] targets = new int[0];

    private int messageCount;
    private long bytes;
    private int ranks;
    private long calls;
    private long pendingCopy;
    private long told;
    private final int repeated;

    /** One call. */
    Program(int size) {
        this(size, 1);
    }

    /** So many calls of the same in a row. */
    Program(int size, int repeated) {
        starts = new int[size + 1];
        this.repeated = repeated;
    }

    /** The program is longer than what can be simulated here. */
    static final class TooLongException extends RuntimeException {
        private static final long serialVersionUID = 1;

        TooLongException() {
            super("too many steps to simulate", null, false, false);
        }
    }

    /**
     * Writes down the next rank.
     *
     * @return throws a {@link TooLongException} when all ranks together have taken too many steps
     */
    Trace next() {
        return new Writer();
    }

    /**
     * The rank is written down.
     *
     * @throws TooLongException if ranks like this one are told too many lengths in all
     */
    void end() {
        addCopies();
        starts[++ranks] = length;
        if (ranks == 1 && told * (starts.length - 1) > MOST_TOLD) {
            throw new TooLongException();
        }
    }

    /** One step for copies that follow each other. */
    private void addCopies() {
        if (pendingCopy > 0) {
            long copied = pendingCopy;
            pendingCopy = 0;
            add(Kind.COPY, 0, copied);
        }
    }

    private final class Writer implements Trace {
        @Override
        public void send(int destination, long sent) {
            add(Kind.SEND, destination, sent);
            bytes += sent;
            if (++messageCount > MOST_MESSAGES) {
                throw new TooLongException();
            }
        }

        @Override
        public void receive(int source, long received) {
            add(Kind.RECEIVE, source, received);
        }

        @Override
        public void told(int lengths) {
            told += lengths;
        }

        @Override
        public void await(int number) {
            add(Kind.AWAIT, 0, number);
        }

        @Override
        public void copy(long copied) {
            count();
            pendingCopy += copied;
        }

        @Override
        public void combine(long combined) {
            add(Kind.COMBINE, 0, combined);
        }
    }

    private void count() {
        if (++calls > MOST_CALLS) {
            throw new TooLongException();
        }
    }

    @SuppressWarnings("EnumOrdinal") // the place in an array that this class fills
    private void add(Kind kind, int peer, long value) {
        count();
        addCopies();
        if (length == MOST_STEPS) {
            throw new TooLongException();
        }
        if (length == steps.length) {
            steps = Arrays.copyOf(steps, Math.min(MOST_STEPS, length + (length >> 1)));
        }
        steps[length++] = (value << VALUE_SHIFT) | ((long) peer << PEER_SHIFT) | kind.ordinal();
    }

    int size() {
        return ranks;
    }

    int start(int rank) {
        return starts[rank];
    }

    Kind kind(int step) {
        return KINDS[(int) steps[step] & KIND_MASK];
    }

    int peer(int step) {
        return (int) (steps[step] >>> PEER_SHIFT) & PEER_MASK;
    }

    /** Bytes, or the number that is awaited. */
    long value(int step) {
        return steps[step] >>> VALUE_SHIFT;
    }

    /** The message of a send or a receive, or the send or receive that is awaited. */
    int target(int step) {
        return targets[step];
    }

    int messageCount() {
        return messageCount;
    }

    /** Bytes of all messages together. */
    long bytes() {
        return bytes;
    }

    /**
     * Bytes that a rank reads and writes in a call.
     *
     * @param passes whether a message lies in memory of this rank and another one on its way, by its step
     */
    double touched(int rank, IntPredicate passes) {
        long sum = 0;
        for (int step = starts[rank]; step < starts[rank + 1]; step++) {
            sum += switch (kind(step)) {
                case SEND -> passes.test(step) ? 2 * value(step) : value(step);
                case RECEIVE -> value(step);
                case COPY, COMBINE -> 2 * value(step);
                case AWAIT -> 0;
            };
        }
        return (double) sum / repeated;
    }

    /**
     * Matches sends and receives.
     *
     * @throws IllegalStateException if a message has no receive, a receive no message, or one of another length
     */
    void match() {
        targets = new int[length];
        int[] incoming = new int[ranks + 1]; // where the messages to each rank start, in the order of their senders
        number(incoming);
        int[] sends = new int[messageCount];
        int[] senders = new int[messageCount];
        int[] place = Arrays.copyOf(incoming, ranks);
        for (int rank = 0; rank < ranks; rank++) {
            for (int step = starts[rank]; step < starts[rank + 1]; step++) {
                if (kind(step) == Kind.SEND) {
                    int at = place[peer(step)]++;
                    sends[at] = step;
                    senders[at] = rank;
                }
            }
        }
        int[] following = new int[ranks]; // by sender, where the next message to a receiver is
        int received = 0;
        for (int rank = 0; rank < ranks; rank++) {
            for (int at = incoming[rank + 1] - 1; at >= incoming[rank]; at--) {
                following[senders[at]] = at;
            }
            for (int step = starts[rank]; step < starts[rank + 1]; step++) {
                if (kind(step) == Kind.RECEIVE) {
                    int source = peer(step);
                    int at = following[source]++;
                    if (at < incoming[rank] || at >= incoming[rank + 1] || senders[at] != source) {
                        throw new IllegalStateException(
                                "rank " + rank + " waits for a message of rank " + source + " that is not sent");
                    }
                    if (value(step) != value(sends[at])) {
                        throw new IllegalStateException("rank " + rank + " expects " + value(step) + " bytes of rank "
                                + source + ", which sends " + value(sends[at]));
                    }
                    targets[step] = targets[sends[at]];
                    received++;
                }
            }
        }
        if (received != messageCount) {
            throw new IllegalStateException((messageCount - received) + " messages are not received");
        }
    }

    /**
     * Numbers the messages, and finds the step that each await waits for.
     *
     * @param incoming gets the number of messages to all ranks before each
     */
    private void number(int[] incoming) {
        int number = 0;
        int[] started = new int[16];
        for (int rank = 0; rank < ranks; rank++) {
            int count = 0;
            for (int step = starts[rank]; step < starts[rank + 1]; step++) {
                Kind kind = kind(step);
                if (kind == Kind.AWAIT) {
                    targets[step] = started[(int) value(step)];
                } else if (kind == Kind.SEND || kind == Kind.RECEIVE) {
                    if (count == started.length) {
                        started = Arrays.copyOf(started, 2 * count);
                    }
                    started[count++] = step;
                }
                if (kind == Kind.SEND) {
                    targets[step] = number++;
                    incoming[peer(step) + 1]++;
                }
            }
        }
        for (int rank = 0; rank < ranks; rank++) {
            incoming[rank + 1] += incoming[rank];
        }
    }
}
