package org.galerna.device.matching.sending;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The peers of a rank. Each is made at the first use, so that a rank of a large job takes one reference for each rank that
 * it never talks to. Any thread.
 *
 * <p>Argument: a peer is published by a volatile write and read by an acquire read, so that every thread sees it as it was
 * made. If two threads make one at once, both use that of the first write.
 */
public final class Peers {
    private final AtomicReferenceArray<@Nullable Peer> made;
    private final IntFunction<Peer> maker;

    /**
     * The peers of a job.
     *
     * @param maker makes the peer of a rank
     */
    public Peers(int size, IntFunction<Peer> maker) {
        this.made = new AtomicReferenceArray<>(size);
        this.maker = maker;
    }

    /** The peer of that rank. */
    public Peer of(int rank) {
        Peer peer = made.getAcquire(rank);
        return peer != null ? peer : make(rank);
    }

    private Peer make(int rank) {
        Peer fresh = maker.apply(rank);
        Peer other = made.compareAndExchange(rank, null, fresh);
        return other != null ? other : fresh;
    }

    /** Those that are made. */
    public Stream<Peer> made() {
        return IntStream.range(0, made.length()).mapToObj(made::getAcquire).filter(peer -> peer != null);
    }
}
