package org.galerna.device.matching;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.galerna.device.Compound;
import org.galerna.device.Conversation;
import org.galerna.device.Device;
import org.galerna.device.DeviceException;
import org.galerna.device.DeviceLimits;
import org.galerna.device.DeviceOptions;
import org.galerna.device.RankList;
import org.galerna.device.Request;
import org.galerna.device.SharedHeap;
import org.galerna.device.Status;
import org.galerna.device.matching.engine.Attendant;
import org.galerna.device.matching.engine.Cancelling;
import org.galerna.device.matching.engine.Leaving;
import org.galerna.device.matching.engine.Matching;
import org.galerna.device.matching.engine.MatchingHeap;
import org.galerna.device.matching.engine.PendingSends;
import org.galerna.device.matching.engine.Probing;
import org.galerna.device.matching.engine.Progress;
import org.galerna.device.matching.engine.Reachability;
import org.galerna.device.matching.frame.Envelope;
import org.galerna.device.matching.frame.FrameLayout;
import org.galerna.device.matching.request.ReceiveRequest;
import org.galerna.device.matching.request.RequestOwner;
import org.galerna.device.matching.request.SendRequest;
import org.galerna.device.matching.sending.Backlogs;
import org.galerna.device.matching.sending.Coalescer;
import org.galerna.device.matching.sending.Peer;
import org.galerna.device.matching.sending.Peers;
import org.galerna.device.matching.sending.Rounds;
import org.galerna.device.support.Arguments;
import org.galerna.device.support.BlockedCalls;
import org.galerna.device.support.Conversations;
import org.galerna.device.support.Membership;
import org.galerna.device.support.OtherThreads;
import org.galerna.device.support.Senders;
import org.galerna.link.CommunicationException;
import org.galerna.link.Link;
import org.galerna.link.Rma;
import org.galerna.link.SharedHeapLink;
import org.galerna.link.process.ProcessFence;
import org.galerna.link.wireup.Hosts;
import org.galerna.memory.AsymmetricFence;
import org.galerna.memory.Buffers;
import org.galerna.memory.OwnerLock;
import org.jspecify.annotations.Nullable;

/**
 * A device over any link: matching, eager and rendezvous protocols, waiting.
 *
 * <p><b>Locks.</b> The match lock guards the queues and the polling of the link; each {@link Peer} has a lock of its
 * own for sending. A thread may take a peer's lock inside the match lock and never the other way round.
 */
final class MatchingDevice implements Device, RequestOwner {
    /** Of memory that is allocated for messages, in bytes: a line of the cache. */
    private static final long ALIGNMENT = 64;

    private static final int LARGEST_CONTEXT = (1 << Envelope.CONTEXT_BITS) - 1;

    private final String name;
    private final String nameOnOneHost;
    private final Membership membership;
    private final Link link;
    private final Hosts hosts;
    private final int rank;
    private final int size;
    private final DeviceLimits limits;
    private final Arguments arguments;
    private final OwnerLock matchLock;
    private final Peers peers;
    private final Rounds rounds = new Rounds();
    private final Backlogs backlogs = new Backlogs();
    private final PendingSends sends;
    private final Senders senders;
    private final Matching matching;
    private final Progress progress;
    private final Reachability reachability;
    private final Probing probing;
    private final Cancelling cancelling;
    private final @Nullable MatchingHeap heap;
    private final @Nullable MatchingHeap heapOfAll;
    private final BlockedCalls blocked;
    private final Attendant attendant;
    private final @Nullable Coalescer gatherer;
    private final Conversations conversations = new Conversations();

    MatchingDevice(
            String name,
            String nameOnOneHost,
            Link link,
            Hosts hosts,
            Membership membership,
            BlockedCalls blocked,
            Function<Link, DeviceOptions> options) {
        this.name = name;
        this.nameOnOneHost = nameOnOneHost;
        this.membership = membership;
        this.link = link;
        this.hosts = hosts;
        this.rank = membership.rank();
        this.size = membership.size();
        AsymmetricFence fence = ProcessFence.instance();
        this.matchLock = new OwnerLock(fence);
        long credit = options.apply(link).creditFor(size);
        this.gatherer = Coalescer.ifNeeded(link, rank, size, rounds);
        this.peers = new Peers(size, peer -> peer(peer, fence, options, credit));
        this.blocked = blocked;
        this.senders = new Senders(membership);
        this.sends = new PendingSends(this, peers, membership, matchLock);
        this.matching = new Matching(link, this, peers, membership, senders, sends, credit / 4);
        this.progress =
                new Progress(membership, link, hosts, matchLock, matching, peers, backlogs, rounds, gatherer, blocked);
        this.reachability = new Reachability(
                membership, senders, new OtherThreads(blocked), backlogs, matchLock, matching, progress, conversations);
        this.probing = new Probing(link, membership, senders, matchLock, matching, progress, reachability);
        this.cancelling = new Cancelling(link, membership, matching, sends, matchLock);
        this.attendant = new Attendant(rank, progress);
        link.attend(attendant::rouse);
        this.heap = isOnHeap(rank) && link.via(rank) instanceof SharedHeapLink common
                ? new MatchingHeap(membership, common, hosts, progress, reachability, blocked)
                : null;
        this.heapOfAll = IntStream.range(0, size).allMatch(this::isOnHeap) ? heap : null;
        this.limits = new DeviceLimits(Integer.MAX_VALUE, LARGEST_CONTEXT, Long.MAX_VALUE, heapOfAll != null);
        this.arguments = new Arguments(membership, limits);
    }

    private Peer peer(int peer, AsymmetricFence fence, Function<Link, DeviceOptions> options, long credit) {
        Link to = link.via(peer);
        Coalescer gathering = peer == rank ? null : gatherer;
        return new Peer(
                peer,
                to,
                membership,
                rounds,
                fence,
                backlogs,
                gathering,
                options.apply(to).eagerLimit(),
                credit);
    }

    /** Whether a rank is reached through the heap, and knows that. */
    private boolean isOnHeap(int other) {
        return hosts.heapOf(other) == hosts.heapOf(rank) && link.via(other) instanceof SharedHeapLink;
    }

    // ---- what requests need

    @Override
    public Progress progress() {
        return progress;
    }

    @Override
    public Rma rma(int peer) {
        return peers.of(peer).rma();
    }

    @Override
    public SharedHeapLink heap(int peer) {
        return peers.of(peer).heap();
    }

    @Override
    public void sendDone(int peer, long sendId) {
        peers.of(peer).sendControl(FrameLayout.DONE, sendId);
    }

    @Override
    public @Nullable Conversation conversation(int context) {
        return conversations.of(context);
    }

    @Override
    public boolean isHopeless(ReceiveRequest request, boolean alone) {
        return reachability.isHopeless(request, alone);
    }

    @Override
    public void failIfHopeless(ReceiveRequest request, boolean alone) {
        reachability.failIfHopeless(request, alone);
    }

    @Override
    public void failIfOutOfStep(ReceiveRequest request) {
        reachability.failIfOutOfStep(request);
    }

    @Override
    public boolean cancel(ReceiveRequest request) {
        return cancelling.cancel(request);
    }

    @Override
    public DeviceException failed(String operation, int peer, CommunicationException failure) {
        return membership.failed(operation, peer, failure);
    }

    @Override
    public void askToCancel(SendRequest request) {
        cancelling.ask(request);
    }

    // ---- the device

    @Override
    public String name() {
        return name;
    }

    @Override
    public String nameAmong(RankList ranks) {
        boolean inside = ranks.stream().map(hosts::hostOf).distinct().count() == 1;
        return inside && sharedHeap(ranks) == null ? nameOnOneHost : name;
    }

    @Override
    public DeviceLimits limits() {
        return limits;
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public Hosts hosts() {
        return hosts;
    }

    @Override
    public int eagerLimit(int destination) {
        arguments.checkRank(destination);
        return peers.of(destination).eagerLimit;
    }

    // ---- sending

    @Override
    public void send(Object buffer, long offset, long length, int destination, int tag, int context) {
        arguments.checkSend(destination, tag, context);
        Buffers.check(buffer, offset, length);
        Peer peer = peers.of(destination);
        if (length <= peer.eagerLimit
                && peer.sendEager(buffer, offset, (int) length, Envelope.of(tag, context)) == Peer.SENT) {
            progress.sentTo(destination, length);
            return;
        }
        Request request = sends.start(FrameLayout.EAGER, buffer, offset, length, destination, tag, context);
        request.await();
        request.release();
    }

    @Override
    public void ssend(Object buffer, long offset, long length, int destination, int tag, int context) {
        Request request = issend(buffer, offset, length, destination, tag, context);
        request.await();
        request.release();
    }

    @Override
    public Request isend(Object buffer, long offset, long length, int destination, int tag, int context) {
        arguments.checkSend(destination, tag, context);
        Buffers.check(buffer, offset, length);
        Peer peer = peers.of(destination);
        if (length <= peer.eagerLimit) {
            int outcome = peer.sendInBurst(buffer, offset, (int) length, Envelope.of(tag, context));
            if (outcome == Peer.SENT) {
                progress.sentTo(destination, length);
                return Request.COMPLETED_SEND;
            }
            if (outcome == Peer.HELD && gatherer != null) {
                return gatherer.request();
            }
        }
        return sends.start(FrameLayout.EAGER, buffer, offset, length, destination, tag, context);
    }

    @Override
    public Request issend(Object buffer, long offset, long length, int destination, int tag, int context) {
        arguments.checkSend(destination, tag, context);
        Buffers.check(buffer, offset, length);
        return sends.start(FrameLayout.SYNC, buffer, offset, length, destination, tag, context);
    }

    // ---- receiving

    @Override
    public Request irecv(Object buffer, long offset, long length, int source, int tag, int context) {
        return post(buffer, offset, length, source, tag, context);
    }

    @Override
    public Request recv(Object buffer, long offset, long length, int source, int tag, int context) {
        ReceiveRequest request = post(buffer, offset, length, source, tag, context);
        progress.awaitReceive(request);
        DeviceException failure = request.failure();
        if (failure != null) {
            request.release();
            throw failure;
        }
        return request;
    }

    private ReceiveRequest post(Object buffer, long offset, long length, int source, int tag, int context) {
        arguments.checkReceive(source, tag, context);
        Buffers.check(buffer, offset, length);
        matchLock.lock();
        try {
            return matching.post(buffer, offset, length, source, Envelope.of(tag, context));
        } finally {
            matchLock.unlock();
        }
    }

    @Override
    public @Nullable Request peek(Object buffer, long offset, long length, int source, int tag, int context) {
        arguments.checkReceive(source, tag, context);
        Buffers.check(buffer, offset, length);
        progress.make();
        matchLock.lock();
        try {
            Status found = probing.find("peek for a message", source, tag, context);
            return found == null ? null : matching.post(buffer, offset, length, source, Envelope.of(tag, context));
        } finally {
            matchLock.unlock();
        }
    }

    @Override
    public @Nullable Status iprobe(int source, int tag, int context) {
        arguments.checkReceive(source, tag, context);
        return probing.iprobe(source, tag, context);
    }

    @Override
    public boolean isIdle(int context) {
        progress.make();
        matchLock.lock();
        try {
            return matching.isIdle(context);
        } finally {
            matchLock.unlock();
        }
    }

    @Override
    public void senders(int context, RankList ranks) {
        senders.define(context, ranks);
    }

    @Override
    public void forgetSenders(int context) {
        matchLock.lock();
        try {
            if (!matching.hasReceives(context)) {
                senders.forget(context);
            }
        } finally {
            matchLock.unlock();
        }
    }

    @Override
    public void converse(int context, Conversation conversation) {
        conversations.begin(context, conversation);
    }

    @Override
    public @Nullable String outOfStep(int context, int tag, int peer) {
        return reachability.outOfStep(context, tag, peer);
    }

    @Override
    public void endConversation(int context) {
        conversations.end(context);
    }

    @Override
    public Status probe(int source, int tag, int context) {
        arguments.checkReceive(source, tag, context);
        return probing.probe(source, tag, context);
    }

    // ---- progress and waiting

    @Override
    public int awaitAny(@Nullable Request[] requests) {
        if (gatherer != null) {
            gatherer.flush(); // one that is done need not make progress
        }
        return progress.awaitAny(requests);
    }

    @Override
    public Request start(Compound compound) {
        membership.checkOpen();
        return progress.start(compound);
    }

    @Override
    public MemorySegment allocate(long bytes, Arena arena) {
        if (bytes < 1) {
            throw new IllegalArgumentException("at least 1 byte can be allocated, not " + bytes);
        }
        return link.rma().allocate(bytes, arena).orElseGet(() -> arena.allocate(bytes, ALIGNMENT));
    }

    @Override
    public @Nullable SharedHeap sharedHeap() {
        return heapOfAll;
    }

    @Override
    public @Nullable SharedHeap sharedHeap(RankList ranks) {
        return heapOfAll != null || ranks.stream().allMatch(this::isOnHeap) ? heap : null;
    }

    // ---- life and reports

    @Override
    public void close() {
        if (membership.isClosed()) {
            return;
        }
        new Leaving(link, membership, sends, matchLock, progress, blocked).leave(backlogs, attendant, gatherer);
    }

    /** Messages sent and received so far; a racy look. */
    long moves() {
        long count = peers.made().mapToLong(peer -> peer.counters.moves()).sum();
        return heap == null ? count : count + heap.moves();
    }
}
