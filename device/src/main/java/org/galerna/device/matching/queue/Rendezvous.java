package org.galerna.device.matching.queue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.galerna.device.matching.frame.Envelope;
import org.galerna.device.matching.request.ReceiveRequest;
import org.galerna.device.matching.request.RequestPool;
import org.galerna.device.matching.request.Retrieval;
import org.jspecify.annotations.Nullable;

/**
 * Long messages that lie at their senders, and are to be fetched for their receives. Every method is called inside the
 * device's match lock unless it says otherwise.
 */
public final class Rendezvous {
    private final Deque<ReceiveRequest> transfers = new ArrayDeque<>();
    private final List<Retrieval> retrievals = new ArrayList<>(); // that a receive waits for
    private volatile boolean pending; // one of the two has something

    /** A receive waits for a message that is being retrieved. */
    public void await(Retrieval retrieval, ReceiveRequest receive, int source) {
        retrieval.receive = receive;
        receive.peer = source;
        retrievals.add(retrieval);
        pending = true;
    }

    /** Puts a receive whose message lies at the sender in the row of those to be fetched. */
    public void announce(ReceiveRequest request, int source, long envelope, long length, long sendId) {
        request.peer = source;
        request.tag = Envelope.tag(envelope);
        request.length = length;
        request.sendId = sendId;
        transfers.add(request);
        pending = true;
    }

    /** Whether there is something to fetch; from outside the lock. */
    public boolean isPending() {
        return pending;
    }

    @Nullable
    public ReceiveRequest next() {
        ReceiveRequest request = transfers.poll();
        pending = !transfers.isEmpty() || !retrievals.isEmpty();
        return request;
    }

    /** Gives receives what has been retrieved for them. Returns the number of those that are complete. */
    public int handOver() {
        if (retrievals.isEmpty()) {
            return 0;
        }
        int before = retrievals.size();
        retrievals.removeIf(Retrieval::handOver);
        return before - retrievals.size();
    }

    /** Fetches a message that has no receive yet, for the sender to be done with it. */
    public void retrieve(UnexpectedMessage message, RequestPool requests) {
        MemorySegment bytes;
        try {
            bytes = Arena.ofAuto().allocate(message.length);
        } catch (OutOfMemoryError noRoom) {
            return; // then the message waits for its receive, and its sender with it
        }
        ReceiveRequest transfer = requests.take();
        transfer.start(bytes, 0, message.length, message.source, message.envelope);
        message.retrieval = new Retrieval(transfer, bytes);
        announce(transfer, message.source, message.envelope, message.length, message.sendId);
        transfer.region.set(message.region);
    }
}
