package org.galerna.link;

import java.util.BitSet;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * How one rank meets the others before any network is up: who it is, how many there are, and a small key-value
 * exchange for addresses and secrets. Whatever started the job implements it.
 *
 * <p>All methods may be called by any thread of the rank; {@link #fence} and {@link #get} block.
 */
public interface Wireup extends AutoCloseable {
    /**
     * Name of the job, unique among the jobs that run at the same time; the same string on every rank. Two wire-ups whose keys
     * do not meet have two names.
     */
    String job();

    /** This rank, 0 to {@code size() - 1}. */
    int rank();

    /** Number of ranks in the job, at least 1. */
    int size();

    /** Whether all ranks of the job are known to be threads of this process. */
    default boolean isOneProcess() {
        return false;
    }

    /**
     * Whether all ranks of the job are known to be on one host, as one user who sees the same files everywhere; the same on every rank.
     */
    default boolean isOneHost() {
        return isOneProcess();
    }

    /** Whether this rank is known to be the only one of the job in its process. */
    default boolean isAlone() {
        return false;
    }

    /**
     * Publishes a value under a key of this rank; visible to the others after the next {@link #fence}.
     *
     * @param value the bytes, at most {@link #MAXIMUM_VALUE} of them; copied
     */
    void put(String key, byte[] value);

    /**
     * Waits until every rank has called it as often as this one has; values put before are visible afterwards.
     *
     * @throws CommunicationException if a rank ends without ever arriving
     */
    void fence();

    /**
     * The value that {@code rank} has published under {@code key}.
     *
     * @throws CommunicationException if there is none
     */
    byte[] get(int rank, String key);

    /**
     * The value that all ranks have published under a key, where it is the same and this rank knows that without asking; else empty. Does not
     * block. With it nobody has to look at as many values as there are ranks, in each of them.
     */
    default Optional<byte[]> common(String key) {
        return Optional.empty();
    }

    /**
     * Ends the whole job with the given exit status, as soon as the launcher can. Does not return normally where this
     * rank itself is ended by it.
     *
     * @param status exit status of the job, 0 to 255
     * @param reason one sentence for the person who started the job
     */
    void abort(int status, String reason);

    /** Hands the launcher a view of what this rank is doing, for its report on jobs that stand still. */
    default void observe(RankMonitor monitor) {}

    /** What people know a rank as; empty if there is nothing to be said to them of it. */
    default Optional<String> nameOf(int rank) {
        return Optional.of("rank " + rank);
    }

    /**
     * How a rank that is gone has ended, e.g. {@code "it has been killed"}, if whatever started the job knows better than
     * the network. Does not block.
     */
    default Optional<String> endOf(int rank) {
        return Optional.empty();
    }

    /** The device that whatever started the job has been told to use; empty if it leaves that to the rank. */
    default Optional<String> device() {
        return Optional.empty();
    }

    /**
     * Says that this rank leaves what it has attached to, and needs nothing more of those that leave, too. So ranks that leave
     * together need not tell each other, which would take a message for each two of them.
     *
     * <p>The consumer is told which ranks have neither left nor ended: none, once that is so, and otherwise when {@link #askWhoStays}
     * is called. It is called by any thread, must return soon, and gets a set of its own.
     *
     * @param name of what is left, the same on all ranks
     * @return false if whatever started the job cannot tell; then the consumer is never called
     */
    default boolean leave(String name, Consumer<BitSet> staying) {
        return false;
    }

    /** Asks which ranks stay; see {@link #leave}, which has returned true. Does not block. */
    default void askWhoStays(String name) {}

    /** Where connections of links come in, if whatever started the job listens for them; the same on all ranks. */
    default Optional<Entrance> entrance() {
        return Optional.empty();
    }

    /** Ends the use of this wire-up by the rank; idempotent. */
    @Override
    void close();

    /** Largest value that every implementation must carry, in bytes. */
    int MAXIMUM_VALUE = 4096;
}
