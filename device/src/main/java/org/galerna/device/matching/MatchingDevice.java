package org.galerna.device.matching;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.galerna.device.Compound;
import org.galerna.device.Conversation;
import org.galerna.device.Device;
import org.galerna.device.DeviceException;
import org.galerna.device.DeviceLimits;
import org.galerna.device.DeviceOptions;
import org.galerna.device.ErrorClass;
import org.galerna.device.Request;
import org.galerna.device.SharedCondition;
import org.galerna.device.SharedHeap;
import org.galerna.device.Status;
import org.galerna.device.Waited;
import org.galerna.device.support.Arguments;
import org.galerna.device.support.BlockedCalls;
import org.galerna.device.support.Compensation;
import org.galerna.device.support.Conversations;
import org.galerna.device.support.Descriptions;
import org.galerna.device.support.DeviceMonitor;
import org.galerna.device.support.Membership;
import org.galerna.device.support.OtherThreads;
import org.galerna.device.support.Senders;
import org.galerna.link.Hosts;
import org.galerna.link.Link;
import org.galerna.link.OwnLog;
import org.galerna.link.ProcessFence;
import org.galerna.link.SharedHeapLink;
import org.galerna.link.ShortTurns;
import org.galerna.link.Wireup;
import org.galerna.memory.AsymmetricFence;
import org.galerna.memory.Buffers;
import org.galerna.memory.OwnerLock;
import org.galerna.memory.Waiting;
import org.jspecify.annotations.Nullable;

/**
 * A device over any link: matching, eager and rendezvous protocols, waiting.
 *
 * <p><b>Locks.</b> The match lock guards the queues and the polling of the link; each {@link Peer} has a lock of its
 * own for sending. A thread may take a peer's lock inside the match lock and never the other way round.
 */
final class MatchingDevice implements Device {
    /** Of memory that is allocated for messages, in bytes: a line of the cache. */
    private static final long ALIGNMENT = 64;

    private static final System.Logger LOGGER = OwnLog.of(MatchingDevice.class.getName());

    /** System property: whether each rank says by which link it reaches the others, and why not by a faster one. */
    static final String EXPLAIN = "galerna.explain";

    private static final int LARGEST_CONTEXT = (1 << Envelope.CONTEXT_BITS) - 1;

    /** How long a rank that leaves waits for its peers before it looks whether the job has been given up. */
    private static final long DRAIN_SLICE_NANOS = 100_000_000;

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
    private final Peer[] peers;
    private final AtomicInteger backlogs = new AtomicInteger();
    private final SendPool sendPool = new SendPool(this);
    private final Senders senders;
    private final OtherThreads otherThreads;
    private final Matching matching;
    private final Progress progress;
    private final @Nullable MatchingHeap heap;
    private final @Nullable MatchingHeap heapOfAll;
    private final BlockedCalls blocked;
    private final Attendant attendant;
    private final @Nullable Gatherer gatherer;
    private final Conversations conversations = new Conversations();

    private MatchingDevice(
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
        this.peers = new Peer[size];
        long credit = options.apply(link).creditFor(size);
        this.gatherer = IntStream.range(0, size)
                        .anyMatch(
                                peer -> peer != rank && link.via(peer).traits().writesOnFlush())
                ? new Gatherer("galerna-gatherer-" + rank)
                : null;
        for (int peer = 0; peer < size; peer++) {
            Link to = link.via(peer);
            int longest = to.traits().maximumFrame() - FrameLayout.LONGEST_HEADER;
            int eagerLimit = Math.min(options.apply(to).eagerLimit(), longest);
            Gatherer gathering = peer != rank && to.traits().writesOnFlush() ? gatherer : null;
            peers[peer] = new Peer(peer, this, fence, backlogs, gathering, eagerLimit, credit);
        }
        this.blocked = blocked;
        this.otherThreads = new OtherThreads(blocked);
        this.senders = new Senders(membership);
        this.matching = new Matching(this, peers, membership, senders, credit / 4);
        this.progress = new Progress(
                membership,
                link,
                Waiting.forRanks(hosts.ranksBeside(rank), hosts.processorsBeside(rank)),
                matchLock,
                matching,
                peers,
                backlogs,
                gatherer,
                blocked);
        this.attendant = new Attendant(rank, progress);
        link.attend(attendant::rouse);
        this.heap = isOnHeap(rank) && link.via(rank) instanceof SharedHeapLink common
                ? new MatchingHeap(this, common, hosts, progress, blocked)
                : null;
        this.heapOfAll = IntStream.range(0, size).allMatch(this::isOnHeap) ? heap : null;
        this.limits = new DeviceLimits(Integer.MAX_VALUE, LARGEST_CONTEXT, Long.MAX_VALUE, heapOfAll != null);
        this.arguments = new Arguments(membership, limits);
    }

    /** Whether a rank is reached through the heap, and knows that. */
    private boolean isOnHeap(int other) {
        return hosts.heapOf(other) == hosts.heapOf(rank) && link.via(other) instanceof SharedHeapLink;
    }

    /**
     * A device over links that have just been opened, and are closed if this fails. Waits until every rank has got as far.
     *
     * @param nameOnOneHost name of the device whose way messages inside one host take
     */
    static Device open(
            String name,
            String nameOnOneHost,
            OpenedLinks links,
            Wireup wireup,
            Function<Link, DeviceOptions> options) {
        try {
            return join(name, nameOnOneHost, links, wireup, options);
        } catch (RuntimeException failed) {
            links.link().close();
            throw failed;
        }
    }

    private static Device join(
            String name,
            String nameOnOneHost,
            OpenedLinks links,
            Wireup wireup,
            Function<Link, DeviceOptions> options) {
        ShortTurns.ask(); // for this rank, which will wait and be waited for
        Hosts.publish(wireup, links.offerHeap());
        Membership membership = new Membership(wireup);
        BlockedCalls blocked = new BlockedCalls();
        DeviceMonitor monitor = new DeviceMonitor(membership, blocked, links.link()::stop);
        // before the fence: a job that is given up meanwhile must not find this rank in its first receive for ever
        wireup.observe(monitor);
        Compensation.during(wireup::fence);
        failUnlessComplete(name, links.link(), wireup);
        MatchingDevice device = new MatchingDevice(
                name, nameOnOneHost, links.settled(), Hosts.of(wireup), membership, blocked, options);
        monitor.show(device::moves);
        if (Boolean.getBoolean(EXPLAIN)) {
            Explanation.of(links, wireup).forEach(line -> LOGGER.log(System.Logger.Level.INFO, line));
        }
        return device;
    }

    private static void failUnlessComplete(String name, Link link, Wireup wireup) {
        for (int peer = 0; peer < wireup.size(); peer++) {
            Optional<String> reason = link.via(peer).unreachable(peer);
            if (reason.isPresent()) {
                throw new DeviceException(
                        ErrorClass.OTHER, "rank " + wireup.rank() + " cannot use device " + name + ": " + reason.get());
            }
        }
    }

    Link link() {
        return link;
    }

    Progress progress() {
        return progress;
    }

    /** Changes when somebody makes progress; a racy look. */
    int turn() {
        return progress.turn();
    }

    Peer peer(int rank) {
        return peers[rank];
    }

    SendPool sendPool() {
        return sendPool;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String nameAmong(int[] ranks) {
        boolean inside = Arrays.stream(ranks).map(hosts::hostOf).distinct().count() == 1;
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
        return peers[destination].eagerLimit;
    }

    // ---- sending

    @Override
    public void send(Object buffer, long offset, long length, int destination, int tag, int context) {
        arguments.checkSend(destination, tag, context);
        Buffers.check(buffer, offset, length);
        Peer peer = peers[destination];
        if (length <= peer.eagerLimit
                && peer.sendEager(buffer, offset, (int) length, Envelope.of(tag, context)) == Peer.SENT) {
            progress.sentTo(destination, length);
            return;
        }
        Request request = startSend(FrameLayout.EAGER, buffer, offset, length, destination, tag, context);
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
        Peer peer = peers[destination];
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
        return startSend(FrameLayout.EAGER, buffer, offset, length, destination, tag, context);
    }

    @Override
    public Request issend(Object buffer, long offset, long length, int destination, int tag, int context) {
        arguments.checkSend(destination, tag, context);
        Buffers.check(buffer, offset, length);
        return startSend(FrameLayout.SYNC, buffer, offset, length, destination, tag, context);
    }

    private Request startSend(
            int eagerKind, Object buffer, long offset, long length, int destination, int tag, int context) {
        Peer peer = peers[destination];
        if (length <= peer.eagerLimit) {
            progress.make(); // credit may have come
        }
        boolean eager = length <= peer.eagerLimit && peer.takeCredit(length);
        SendRequest request = sendPool.take();
        request.start(eager ? eagerKind : FrameLayout.RTS, buffer, offset, length, destination, tag, context);
        matchLock.lock();
        try {
            if (!membership.isThere(destination) || membership.isClosed()) {
                throw membership.lost(request.operation(), destination);
            }
            if (request.kind != FrameLayout.EAGER) {
                matching.sends().add(request);
            }
        } finally {
            matchLock.unlock();
        }
        if (request.kind == FrameLayout.RTS) {
            request.expose();
        }
        peer.send(request);
        return request;
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
        ReceiveRequest request;
        matchLock.lock();
        try {
            request = matching.takeRequest();
            request.start(buffer, offset, length, source, Envelope.of(tag, context));
            matching.post(request);
        } finally {
            matchLock.unlock();
        }
        return request;
    }

    @Override
    public @Nullable Request peek(Object buffer, long offset, long length, int source, int tag, int context) {
        arguments.checkReceive(source, tag, context);
        Buffers.check(buffer, offset, length);
        progress.make();
        matchLock.lock();
        try {
            if (find("peek for a message", source, tag, context) == null) {
                return null;
            }
            ReceiveRequest request = matching.takeRequest();
            request.start(buffer, offset, length, source, Envelope.of(tag, context));
            matching.post(request);
            return request;
        } finally {
            matchLock.unlock();
        }
    }

    @Override
    public @Nullable Status iprobe(int source, int tag, int context) {
        arguments.checkReceive(source, tag, context);
        progress.make();
        matchLock.lock();
        try {
            return find("probe for a message", source, tag, context);
        } finally {
            matchLock.unlock();
        }
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

    /** A message that is there; a failure if none is, and those who could send one have died. */
    private @Nullable Status find(String verb, int source, int tag, int context) {
        Status status = matching.find(Envelope.of(tag, context), source);
        if (status == null && !membership.isComplete() && senders.left(source, context) == Senders.Left.DEAD) {
            link.poll(matching, Integer.MAX_VALUE); // a message to itself may still lie in the ring
            status = matching.find(Envelope.of(tag, context), source);
            if (status == null) {
                throw senders.unreachable(Descriptions.receive(verb, source, tag), source, context);
            }
        }
        return status;
    }

    @Override
    public void senders(int context, int[] ranks) {
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
        Conversation conversation = conversation(context);
        if (conversation == null || !membership.hasLeftInOrder(peer)) {
            return null;
        }
        matchLock.lock();
        try {
            return matching.outOfStep(Envelope.of(tag, context), peer, conversation);
        } finally {
            matchLock.unlock();
        }
    }

    @Override
    public void endConversation(int context) {
        conversations.end(context);
    }

    /** What the messages of a context are for; null if nobody has said so. */
    @Nullable
    Conversation conversation(int context) {
        return conversations.of(context);
    }

    /**
     * Fails a receive of a collective if its peer has sent a message of a later one.
     *
     * <p>Argument: a rank receives what another one sends in the order in which that sends it. So a receive for which no
     * message has come, while another one has come from the same rank that nothing receives, will not get one any more.
     */
    void failIfOutOfStep(ReceiveRequest request) {
        Conversation conversation = conversation(Envelope.context(request.wanted));
        if (conversation == null || request.isWildcard() || !conversation.isOrdered(Envelope.tag(request.wanted))) {
            return;
        }
        matchLock.lock();
        try {
            matching.failIfOutOfStep(request, conversation);
        } finally {
            matchLock.unlock();
        }
    }

    @Override
    public Status probe(int source, int tag, int context) {
        arguments.checkReceive(source, tag, context);
        Probe probe = new Probe(source, tag, context);
        progress.await(probe);
        return probe.found();
    }

    /** A probe that waits: over when a message is there, or none can come any more. */
    private final class Probe implements Waited {
        private static final String VERB = "probe for a message";

        private final int source;
        private final int tag;
        private final int context;
        private @Nullable Status found;
        private @Nullable DeviceException failure;

        Probe(int source, int tag, int context) {
            this.source = source;
            this.tag = tag;
            this.context = context;
        }

        Status found() {
            if (failure != null) {
                throw failure;
            }
            return Objects.requireNonNull(found, "a probe that is over has found a message or failed");
        }

        @Override
        public boolean isDone() {
            matchLock.lock();
            try {
                found = find(VERB, source, tag, context);
            } catch (DeviceException unreachable) {
                failure = unreachable;
            } finally {
                matchLock.unlock();
            }
            return found != null || failure != null;
        }

        @Override
        public void failIfAlone() {
            if (nobodySends(source, context, true) && !isDone()) {
                failure = senders.unreachable(operation(), source, context);
            }
        }

        @Override
        public String operation() {
            return Descriptions.receive(VERB, source, tag);
        }

        @Override
        public int awaitedPeer() {
            return source;
        }
    }

    boolean cancel(ReceiveRequest request) {
        matchLock.lock();
        try {
            if (matching.withdraw(request)) {
                request.completeCancelled();
            } else if (!request.isDone()) {
                request.hasten(); // it is matched
            }
        } finally {
            matchLock.unlock();
        }
        link.waiter().wakeUp(); // another thread may wait for it
        return request.isCancelled();
    }

    void askToCancel(SendRequest request) {
        matchLock.lock();
        try {
            if (!membership.isClosed()) {
                matching.askToCancel(request);
            }
        } finally {
            matchLock.unlock();
        }
        if (request.isDone()) {
            link.waiter().wakeUp(); // another thread may wait for it
        }
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
    public @Nullable SharedHeap sharedHeap(int[] ranks) {
        return Arrays.stream(ranks).allMatch(this::isOnHeap) ? heap : null;
    }

    // ---- peers that have left

    /**
     * Whether no message can come from there any more. What this rank itself may send counts unless the calling thread is
     * about to sleep and nobody else is left: then there is nothing on its way either.
     *
     * <p>Argument: a thread that could still send is counted, or has sent before it ended or went to sleep. In the latter
     * case its message lies in the ring, from where it is taken here or by whoever holds the lock, or in the backlog.
     */
    private boolean nobodySends(int source, int context, boolean alone) {
        if (membership.isComplete()) {
            return false;
        }
        return switch (senders.left(source, context)) {
            case OTHERS -> false;
            case ITSELF -> alone && !otherThreads.mayAct() && backlogs.getAcquire() == 0 && !progress.make();
            case NOBODY, DEAD -> true;
        };
    }

    /** Whether a receive waits for a message, and none will come; see {@link #nobodySends}. */
    boolean isHopeless(ReceiveRequest request, boolean alone) {
        if (!nobodySends(request.wantedSource, Envelope.context(request.wanted), alone)) {
            return false;
        }
        matchLock.lock();
        try {
            return matching.isPosted(request);
        } finally {
            matchLock.unlock();
        }
    }

    /** Fails a receive that {@link #isHopeless}. */
    void failIfHopeless(ReceiveRequest request, boolean alone) {
        if (!nobodySends(request.wantedSource, Envelope.context(request.wanted), alone)) {
            return;
        }
        matchLock.lock();
        try {
            matching.failUnreachable(request);
        } finally {
            matchLock.unlock();
        }
    }

    /** Fails a thread that waits for a rank that is gone. */
    void failIfInVain(SharedCondition condition) {
        if (membership.isComplete()) {
            return;
        }
        for (int peer = 0; peer < size; peer++) {
            // in this order: what the peer did before it left is visible to the second question
            if (!membership.isThere(peer) && condition.needs(peer) && !condition.isDone()) {
                condition.failIfOutOfStep();
                throw lost(condition.operation(), peer);
            }
        }
    }

    DeviceException lost(String operation, int peer) {
        return membership.lost(operation, peer);
    }

    /** Fails the sends that wait for an answer from a peer that is gone; inside the match lock. */
    void failSends(int peer) {
        for (SendRequest request : matching.sends().to(peer)) {
            matching.sends().remove(request.id);
            if (!request.isDone()) {
                if (request.isHastened()) {
                    request.endCancelled();
                } else {
                    request.end(lost(request.operation(), peer));
                }
            }
        }
    }

    // ---- life and reports

    @Override
    public void close() {
        if (membership.isClosed()) {
            return;
        }
        // what was accepted for sending leaves before this rank does
        leave();
        progress.await(new LastSends(backlogs, this::announced));
        membership.close();
        attendant.close();
        if (gatherer != null) {
            gatherer.close();
        }
        link.stop();
        try {
            Compensation.during(this::drain);
        } finally {
            link.close();
        }
    }

    private void leave() {
        matchLock.lock();
        try {
            matching.leave();
        } finally {
            matchLock.unlock();
        }
    }

    private List<SendRequest> announced() {
        matchLock.lock();
        try {
            return matching.sends().announced();
        } finally {
            matchLock.unlock();
        }
    }

    /**
     * Waits until what was sent does not need this rank any more, or the peer is gone. There is no other end: what a slow
     * peer has not read yet may still be here, and would go down with this process.
     */
    private void drain() {
        if (link.drain(0)) {
            return;
        }
        Waited leaving = new Waited() {
            @Override
            public boolean isDone() {
                return false; // the link knows
            }

            @Override
            public String operation() {
                return "finalize, with messages that their receivers have not taken";
            }

            @Override
            public int awaitedPeer() {
                return ANY_SOURCE;
            }
        };
        BlockedCalls.Call call = blocked.enter(leaving);
        try {
            while (!link.drain(DRAIN_SLICE_NANOS)) {
                call.lookedInVain();
                blocked.failIfGivenUp(call);
            }
        } finally {
            blocked.leave();
        }
    }

    /** Messages sent and received so far; a racy look. */
    long moves() {
        long count = matching.received();
        for (Peer peer : peers) {
            count += peer.sent();
        }
        return heap == null ? count : count + heap.moves();
    }

    void checkOpen() {
        membership.checkOpen();
    }
}
