package org.galerna.device;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.galerna.link.wireup.Hosts;
import org.jspecify.annotations.Nullable;

/**
 * Tagged messages between the ranks of a job: the {@code xxdev} interface of the {@code smdev} paper (Ramos et al.,
 * "Design of scalable Java communication middleware for multi-core systems", figure 1), with contexts.
 *
 * <p><b>Addressing.</b> A message is matched by (source, tag, context); source and tag of a receive may be wildcards.
 * Messages from one rank with one context that match the same receive are received in the order of their sends.
 * Tags and contexts are numbers from 0 up to the device's {@link #limits}.
 *
 * <p><b>Buffers.</b> {@code buffer} is an array of {@code byte}, {@code char}, {@code short}, {@code int},
 * {@code long}, {@code float} or {@code double}, or a {@link MemorySegment}; {@code offset} and
 * {@code length} are in bytes. Bytes travel in native order, as they lie in memory. (A plain object and two numbers,
 * and not a segment, so that sending out of an array allocates nothing.) The caller owns the buffer; from the start of
 * an operation until its completion it must not change a buffer that is sent and must not touch one that is received
 * into. Memory of a confined arena can be sent by its thread, and received into while that is the rank's only thread.
 *
 * <p><b>Threads.</b> Any number of threads of the rank may call any method at any time. Progress is made only inside
 * calls: there is no helper thread.
 *
 * <p><b>Errors.</b> {@link DeviceException}; arguments are checked by {@link IllegalArgumentException} and
 * {@link IndexOutOfBoundsException}.
 */
public interface Device extends AutoCloseable {
    /** Source of a receive that takes a message from any rank. */
    int ANY_SOURCE = -1;

    /** Tag of a receive that takes a message with any tag. */
    int ANY_TAG = -1;

    /** Name as given to {@link Devices#open}. */
    String name();

    /**
     * Name of the device whose way messages among these ranks take, where this one takes different ways to different ranks; for
     * what has been measured on one device. All of the ranks get the same answer.
     */
    default String nameAmong(RankList ranks) {
        return name();
    }

    /** What it can carry; constant, and the same on all ranks. */
    DeviceLimits limits();

    /** This rank. */
    int rank();

    /** Number of ranks. */
    int size();

    /** Which ranks run on the same host. */
    Hosts hosts();

    /**
     * Messages of at most this many bytes are sent eagerly to that rank while it grants credit; larger by rendezvous. Ranks
     * that are reached by different links have different limits.
     */
    int eagerLimit(int destination);

    /** Starts a send; done when the buffer may be changed again. */
    Request isend(Object buffer, long offset, long length, int destination, int tag, int context);

    /** Starts a synchronous send; done when the matching receive has started, and the buffer may be changed. */
    Request issend(Object buffer, long offset, long length, int destination, int tag, int context);

    /**
     * Starts a receive of at most {@code length} bytes. A longer message fails it with {@link ErrorClass#TRUNCATE};
     * the first {@code length} bytes of it are then in the buffer, and nothing beyond.
     */
    Request irecv(Object buffer, long offset, long length, int source, int tag, int context);

    /** Sends, blocking until the buffer may be changed again. Allocates nothing up to {@link #eagerLimit}. */
    void send(Object buffer, long offset, long length, int destination, int tag, int context);

    /** Sends, blocking until the matching receive has started. */
    void ssend(Object buffer, long offset, long length, int destination, int tag, int context);

    /**
     * Receives, blocking.
     *
     * @return the done request, from which the caller reads the envelope before it releases it
     */
    Request recv(Object buffer, long offset, long length, int source, int tag, int context);

    /**
     * Receives a message that has already arrived.
     *
     * @return the request, possibly still in transfer; null if no matching message has arrived
     * @throws DeviceException as {@link #iprobe}
     */
    @Nullable
    Request peek(Object buffer, long offset, long length, int source, int tag, int context);

    /** Blocks until a matching message has arrived, and leaves it there. */
    Status probe(int source, int tag, int context);

    /**
     * The first matching message that has arrived, left where it is; null if there is none.
     *
     * @throws DeviceException with {@link ErrorClass#PROC_FAILED} if none can arrive any more and a rank that could have
     *     sent one has died; not if all of them have left in good order
     */
    @Nullable
    Status iprobe(int source, int tag, int context);

    /**
     * Says which ranks send in a context, where these are not all: a receive from any rank waits for them, and for no
     * others.
     */
    void senders(int context, RankList ranks);

    /** Says what the messages of a context are for. */
    void converse(int context, Conversation conversation);

    /**
     * What is wrong if a peer has left the job in good order, and had gone on to a later collective than that of a tag, which
     * this rank is in and which the peer takes part in; null if nothing tells so.
     */
    @Nullable
    String outOfStep(int context, int tag, int peer);

    /** Takes {@link #converse} back. */
    void endConversation(int context);

    /** Takes {@link #senders} back, unless a receive still waits there. */
    void forgetSenders(int context);

    /**
     * Whether nothing waits in a context of this rank: no receive for its message, and no message that has arrived for its
     * receive. Slow if there is much in other contexts.
     */
    boolean isIdle(int context);

    /**
     * Blocks until one of the requests is done; null elements are skipped.
     *
     * @return index of a done request, or -1 if all elements are null
     */
    int awaitAny(@Nullable Request[] requests);

    /**
     * Starts an operation made of several, which from then on goes on whenever this rank makes progress.
     *
     * @return done when the compound is over
     */
    Request start(Compound compound);

    /**
     * Memory outside the heap, zeroed, from which large messages are sent fastest: where ranks share memory, the receiver
     * reads them there. Given back when the arena is closed or collected; not while a message is under way in it.
     *
     * @param bytes at least 1
     * @param arena {@link Arena#ofShared} or {@link Arena#ofAuto}
     */
    MemorySegment allocate(long bytes, Arena arena);

    /** The heap that all ranks have in common; null if they do not live in one JVM. */
    default @Nullable SharedHeap sharedHeap() {
        return null;
    }

    /** The heap that this rank has in common with all of the given ones, itself among them or not; null if there is none. */
    default @Nullable SharedHeap sharedHeap(RankList ranks) {
        return sharedHeap();
    }

    /**
     * Leaves the job: completes what it owes to others, then frees everything. A peer that sends to this rank
     * afterwards, or blocks for a message that only this rank could have sent, gets {@link ErrorClass#PROC_FAILED};
     * a receive that nobody waits for is left alone. Idempotent.
     */
    @Override
    void close();
}
