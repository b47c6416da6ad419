package org.galerna.device.matching.engine;

import org.galerna.device.Status;
import org.galerna.device.matching.frame.Envelope;
import org.galerna.device.support.Descriptions;
import org.galerna.device.support.Membership;
import org.galerna.device.support.Senders;
import org.galerna.link.Link;
import org.galerna.memory.OwnerLock;
import org.jspecify.annotations.Nullable;

/** Looks for messages that have come. */
public final class Probing {
    private final Link link;
    private final Membership membership;
    private final Senders senders;
    private final OwnerLock matchLock;
    private final Matching matching;
    private final Progress progress;
    private final Reachability reachability;

    public Probing(
            Link link,
            Membership membership,
            Senders senders,
            OwnerLock matchLock,
            Matching matching,
            Progress progress,
            Reachability reachability) {
        this.link = link;
        this.membership = membership;
        this.senders = senders;
        this.matchLock = matchLock;
        this.matching = matching;
        this.progress = progress;
        this.reachability = reachability;
    }

    /** The message that is there, if one is. */
    @Nullable
    public Status iprobe(int source, int tag, int context) {
        progress.make();
        return look(source, tag, context);
    }

    /** As {@link #iprobe}, without making progress before. */
    @Nullable
    Status look(int source, int tag, int context) {
        matchLock.lock();
        try {
            return find(Probe.VERB, source, tag, context);
        } finally {
            matchLock.unlock();
        }
    }

    /** Waits for a message. */
    public Status probe(int source, int tag, int context) {
        Probe probe = new Probe(() -> look(source, tag, context), reachability, source, tag, context);
        progress.await(probe);
        return probe.found();
    }

    /** A message that is there; a failure if none is, and those who could send one have died. Inside the match lock. */
    @Nullable
    public Status find(String verb, int source, int tag, int context) {
        Status status = matching.find(Envelope.of(tag, context), source);
        if (status == null && !membership.isComplete() && senders.left(source, context) == Senders.Left.DEAD) {
            link.poll(matching, Integer.MAX_VALUE); // a message to itself may still lie in the ring
            status = matching.find(Envelope.of(tag, context), source);
            if (status == null) {
                throw reachability.unreachable(Descriptions.receive(verb, source, tag), source, context);
            }
        }
        return status;
    }
}
