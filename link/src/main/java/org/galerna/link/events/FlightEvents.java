package org.galerna.link.events;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import jdk.jfr.FlightRecorder;
import org.galerna.link.Collective;
import org.galerna.link.counters.WaitKind;
import org.jspecify.annotations.Nullable;

/**
 * Tells flight recorder. Any thread may call any method at any time: where nobody records, and in a runtime image without
 * {@code jdk.jfr}, nothing happens. What lasts is begun and ended; in between it is an object without a type, so that those
 * that hold it can be loaded without {@code jdk.jfr}.
 */
public final class FlightEvents {
    /** In place of a rank: of a process that has none, such as a node of messages. */
    public static final int NO_RANK = -1;

    private static final boolean PRESENT = isPresent();

    /** Fewer unexpected messages at once are no event. */
    private static final int FEWEST_UNEXPECTED = 1024;

    private FlightEvents() {}

    private static boolean isPresent() {
        try {
            boolean unused = FlightRecorder.isInitialized();
            return true;
        } catch (LinkageError none) {
            return false;
        }
    }

    /**
     * Whether anybody has begun to record in this process. Costs a look at two fields. Classes of events are only used where
     * this is so: the first takes tenths of a second to initialize.
     */
    public static boolean areRecorded() {
        return PRESENT && FlightRecorder.isInitialized();
    }

    /** Gets ready to record, where anybody does: otherwise the first event of each kind would miss what happens meanwhile. */
    public static void prepare() {
        if (areRecorded()) {
            Object unused = List.of(
                    Optional.ofNullable(Wait.start()),
                    Optional.ofNullable(Rendezvous.start()),
                    Optional.ofNullable(CreditStall.start()),
                    Optional.ofNullable(CollectiveCall.start()));
        }
    }

    // ---- connections

    /** A rank of this process communicates from now on. */
    public static void rankJoined(int rank, int ranks, String device, String job) {
        if (areRecorded()) {
            RankJoined.commit(rank, ranks, device, job);
        }
    }

    /**
     * A rank has chosen by what it reaches some of its peers.
     *
     * @param rank the rank, or {@link #NO_RANK}
     * @param against what is against faster links, in words
     */
    public static void linkChosen(int rank, String peers, String link, String against) {
        if (areRecorded()) {
            LinkChosen.commit(rank, peers, link, against);
        }
    }

    /** A rank sends to a peer for the first time. */
    public static void channelOpened(int rank, int peer, String link) {
        if (areRecorded()) {
            ChannelOpened.commit(rank, peer, link);
        }
    }

    /**
     * A connection of a network is up.
     *
     * @param job that of the two ranks
     * @param number which one between the two it is, or which trial, from 1: one that carries nothing may be ended, and made again
     */
    public static void connectionMade(int rank, int peer, String job, String link, int number) {
        if (areRecorded()) {
            ConnectionMade.commit(rank, peer, job, link, number);
        }
    }

    /** A peer is gone. */
    public static void rankLeft(int rank, int peer, boolean inOrder, String reason) {
        if (areRecorded()) {
            RankLeft.commit(rank, peer, inOrder, reason);
        }
    }

    // ---- what takes long

    /** A call begins to sleep. */
    public static @Nullable Object waitBegins() {
        return areRecorded() ? Wait.start() : null;
    }

    /**
     * The call is over.
     *
     * @param begun what {@link #waitBegins} has returned
     * @param operation what it waits for, in words
     * @param collective the one that it is a part of, or null
     */
    public static void waitEnds(
            Object begun,
            int rank,
            int peer,
            WaitKind kind,
            Supplier<String> operation,
            Supplier<@Nullable Collective> collective) {
        Wait.commit(begun, rank, peer, kind, operation, collective);
    }

    /** A message is announced, to be fetched by its receiver. */
    public static @Nullable Object rendezvousBegins() {
        return areRecorded() ? Rendezvous.start() : null;
    }

    /** A short message is announced for lack of credit. */
    public static @Nullable Object creditStallBegins() {
        return areRecorded() ? CreditStall.start() : null;
    }

    /** So many messages are there at once without a receive, more than ever before. An event at each power of two. */
    public static void unexpected(int rank, int peer, int number) {
        if (number >= FEWEST_UNEXPECTED && Integer.bitCount(number) == 1 && areRecorded()) {
            UnexpectedMessages.commit(rank, peer, number);
        }
    }

    /** A collective that blocks begins. */
    public static @Nullable Object collectiveBegins() {
        return areRecorded() ? CollectiveCall.start() : null;
    }

    /**
     * The part of a rank in it is done.
     *
     * @param begun what {@link #collectiveBegins} has returned
     * @param ranks number of those that take part
     */
    public static void collectiveEnds(
            Object begun, int rank, int ranks, String algorithm, Supplier<Collective> collective) {
        CollectiveCall.commit(begun, rank, ranks, algorithm, collective);
    }

    // ---- messages

    /** Whether a recording that has begun asks for each message. */
    public static boolean areMessagesRecorded() {
        return areRecorded() && (MessageSent.isWanted() || MessageReceived.isWanted());
    }

    /** A message is about to be sent. */
    public static @Nullable Object sendBegins() {
        return areRecorded() ? MessageSent.start() : null;
    }

    /** A receive is about to be posted. */
    public static @Nullable Object receiveBegins() {
        return areRecorded() ? MessageReceived.start() : null;
    }

    /**
     * The buffer of a message may be changed, or the message is there, or it has been fetched.
     *
     * @param begun what one of the methods above has returned
     */
    public static void messageEnds(@Nullable Object begun, int rank, int peer, int tag, int context, long bytes) {
        if (begun != null) {
            MessageEvent.commit(begun, rank, peer, tag, context, bytes);
        }
    }
}
