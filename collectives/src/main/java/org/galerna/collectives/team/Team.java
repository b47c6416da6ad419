package org.galerna.collectives.team;

import java.util.Objects;
import java.util.function.IntFunction;
import org.galerna.collectives.buffer.Copying;
import org.galerna.collectives.reduction.Reduction;
import org.galerna.device.Device;
import org.galerna.device.DeviceException;
import org.galerna.device.RankList;
import org.galerna.device.Request;
import org.galerna.device.SharedHeap;
import org.galerna.link.Collective;
import org.galerna.link.events.FlightEvents;
import org.galerna.link.wireup.Hosts;
import org.jspecify.annotations.Nullable;

/**
 * The ranks that take part in collectives, as one of them sees the others: messages by team rank in a context of their
 * own. A communicator has one team; as MPI demands, one thread at a time uses it, and all members start the same
 * collectives in the same order.
 *
 * <p><b>Matching.</b> Every collective has one tag. An algorithm sends the messages of one pair of ranks in the order
 * in which the other side receives them; consecutive collectives then never meet, however far one rank is ahead.
 *
 * <p><b>Lengths.</b> Both sides of a message know its length. A message that is longer or shorter than expected means
 * that ranks have called the same collective with different counts, and fails.
 */
public sealed class Team permits RecordingTeam, TracedTeam {
    /** Length of what is not checked: a send. */
    static final long ANY_LENGTH = -1;

    private final Device device;
    private final RankList members;
    private final int rank;
    private final int context;
    private final ScratchPool scratch = new ScratchPool();
    private final Accumulator accumulator = new Accumulator(this);
    private final Transfers transfers = new Transfers();
    private final @Nullable SharedHeap heap;
    private @Nullable HeapMember seat;
    private final TeamTopology topology;
    private final TeamFailures failures;

    /** The team that this is a part of, or this one: it has the place in the order of collectives. */
    private final Team whole;

    // Threads that look at a blocked call of this rank read what follows. It was written before the call entered the
    // list of blocked ones, and does not change while the call is there.
    private boolean running;
    private @Nullable Object recorded; // what flight recorder measures
    private String operation = "";
    private Named algorithm = Named.NOTHING;
    private int tag;
    /** The last collectives; on a common heap other members look at it too. */
    private final Calls calls;

    private final CallHistory history;

    /**
     * The members of a team as the rank of {@code device} sees them.
     *
     * @param device carries the messages
     * @param members device rank of each team rank
     * @param context context of the collectives, which no other messages of the device have
     * @throws IllegalArgumentException if this rank is not a member
     */
    public Team(Device device, RankList members, int context) {
        this(device, members, indexOf(device.rank(), members), context, device.sharedHeap(members));
        device.converse(context, new TeamConversation(this));
    }

    /** The members of a team by itself. */
    Team(Device device, RankList members, int rank, int context, @Nullable SharedHeap heap) {
        this.device = device;
        this.members = members;
        this.rank = rank;
        this.context = context;
        this.heap = heap;
        this.topology = new TeamTopology(this, heap != null);
        this.failures = new TeamFailures(this, "");
        this.whole = this;
        this.calls = new Calls();
        this.history = new CallHistory(context);
    }

    /** Some of the members of a team, given by their ranks in it, for messages in its context. */
    Team(Team whole, int[] some, String part) {
        this.device = whole.device;
        this.members = whole.members.at(some);
        this.rank = indexOf(whole.deviceRank(whole.rank), members);
        this.context = whole.context;
        this.heap = whole.sharedHeap(members);
        this.topology = new TeamTopology(this, heap != null);
        this.failures = new TeamFailures(this, part);
        this.whole = whole.whole;
        this.calls = new Calls();
        this.history = whole.history;
    }

    /** The members of a team whose collectives are written down, without their memory and without regard to their hosts. */
    Team(Team like) {
        this.device = like.device;
        this.members = like.members;
        this.context = like.context;
        this.rank = like.rank;
        this.heap = null;
        this.topology = new TeamTopology(this, TeamShape.recorded(members.size()));
        this.failures = new TeamFailures(this, like.failures.part());
        this.whole = this;
        this.calls = like.calls;
        this.history = like.history;
    }

    private static int indexOf(int deviceRank, RankList members) {
        int member = members.indexOf(deviceRank);
        if (member < 0) {
            throw new IllegalArgumentException("rank " + deviceRank + " is not one of the team " + members);
        }
        return member;
    }

    final int indexOf(int deviceRank) {
        return indexOf(deviceRank, members);
    }

    /** This member, 0 to {@code size() - 1}. */
    public int rank() {
        return rank;
    }

    /** Number of members, at least 1. */
    public int size() {
        return members.size();
    }

    /** Device rank of a member. */
    public int deviceRank(int member) {
        return members.get(member);
    }

    /** What carries the messages. */
    public Device device() {
        return device;
    }

    /** Name of the device whose lines of a table of decisions count: the one whose way the messages of the members take. */
    public String deviceInTables() {
        return topology.deviceInTables(members);
    }

    /** The context that the messages travel in. */
    public int context() {
        return context;
    }

    /** What the choice of an algorithm depends on. */
    public TeamShape shape() {
        return topology.shape();
    }

    /** Some of the members, given by their ranks here; for one part of a collective. */
    Team part(int[] some, String name) {
        return new Team(this, some, name);
    }

    /** Memory that ranks of the device share; null if they do not. */
    @Nullable
    SharedHeap sharedHeap(RankList ranks) {
        return device.sharedHeap(ranks);
    }

    /** Where the members are. */
    TeamPlacement placement() {
        Hosts hosts = device.hosts();
        return TeamPlacement.of(members, hosts::hostOf, hosts::packageOf, hosts::heapOf);
    }

    /** The members by their hosts, ready for the collective that has begun, and made in the first one that asks. */
    public HostTeams byHost() {
        return topology.beginByHost(Calls.bytes(calls.get(calls.number())));
    }

    /**
     * The place of this rank at the memory that all members share, ready for the collective that has begun. All members
     * ask for it in the same collective for the first time.
     *
     * @throws NullPointerException if they share no heap
     */
    public HeapMember seat() {
        if (seat == null) {
            seat = HeapMember.take(Objects.requireNonNull(heap, "the members share no heap"), members, rank, this);
        }
        return seat;
    }

    /** Gives the operations of collectives their names, by their numbers. */
    public void name(IntFunction<String> operations) {
        history.name(operations);
    }

    /**
     * Starts a collective of this name; errors and reports name it.
     *
     * @param number that of the operation
     * @param root its root, or {@link Collective#NONE}
     * @param bytes its size if all members must agree about it, or {@link Collective#NONE}
     */
    public void begin(String operation, Named algorithm, int number, int root, long bytes) {
        beginPart(operation, algorithm, CallTag.blocking(number, root), bytes);
        Object measured = FlightEvents.collectiveBegins();
        if (measured != null) {
            recorded = measured;
        }
    }

    /** Starts a collective, or the part of this team in a collective of the team that it is a part of. */
    final void beginPart(String operation, Named algorithm, int tag, long bytes) {
        if (running) {
            abandon();
        }
        // programs call the same ones again and again: a comparison costs less than a reference written
        if (!this.operation.equals(operation)) {
            this.operation = operation;
        }
        if (this.algorithm != algorithm) {
            this.algorithm = algorithm;
        }
        this.tag = tag;
        calls.add(tag, bytes);
        running = true;
    }

    /** The tag of the collective that has begun. */
    final int tag() {
        return tag;
    }

    /** Name of the collective that has begun. */
    final String operation() {
        return operation;
    }

    /** The algorithm that serves it. */
    final Named algorithm() {
        return algorithm;
    }

    /** What the members have called last. */
    final Calls calls() {
        return calls;
    }

    /** What the members have called, in words. */
    final CallHistory history() {
        return history;
    }

    /** The collective that the team has begun, or has ended last. */
    final Collective collective() {
        return history.last(whole.calls);
    }

    /** Ends a collective that has succeeded; its scratch memory serves the next one. */
    public void end() {
        running = false;
        if (recorded != null) {
            FlightEvents.collectiveEnds(recorded, device.rank(), members.size(), algorithm.name(), this::collective);
            recorded = null;
        }
        accumulator.forget();
        scratch.giveBack();
        topology.end();
    }

    /** Sends to a member, blocking until the buffer may be changed. */
    public void send(Object buffer, long offset, long length, int destination) {
        try {
            device.send(buffer, offset, length, members.get(destination), tag, context);
        } catch (DeviceException failure) {
            throw explain(failure, ANY_LENGTH, destination);
        }
    }

    /** Receives exactly {@code length} bytes from a member, blocking. */
    public void receive(Object buffer, long offset, long length, int source) {
        long received;
        try {
            Request request = device.recv(buffer, offset, length, members.get(source), tag, context);
            received = request.length();
            request.release();
        } catch (DeviceException failure) {
            throw explain(failure, length, source);
        }
        checkLength(received, length, source);
    }

    /**
     * Sends to one member while receiving exactly {@code receiveLength} bytes from another or the same one, blocking
     * until both are done. The two ranges do not overlap.
     */
    public void exchange(
            Object sendBuffer,
            long sendOffset,
            long sendLength,
            int destination,
            Object receiveBuffer,
            long receiveOffset,
            long receiveLength,
            int source) {
        startReceive(receiveBuffer, receiveOffset, receiveLength, source);
        send(sendBuffer, sendOffset, sendLength, destination);
        awaitAll();
    }

    /** Fails with both ranks if a block of a member is of another length than expected. */
    public void checkLength(long sent, long expected, int sender) {
        if (sent != expected) {
            throw explain(failures.wrongLength(sent, expected, sender), expected, sender);
        }
    }

    /** Starts a send, to be completed by {@link #awaitFirst} or {@link #awaitAll}. */
    public void startSend(Object buffer, long offset, long length, int destination) {
        try {
            Request request = device.isend(buffer, offset, length, members.get(destination), tag, context);
            transfers.add(request, ANY_LENGTH, destination);
        } catch (DeviceException failure) {
            throw explain(failure, ANY_LENGTH, destination);
        }
    }

    /** Starts a receive of exactly {@code length} bytes; completed by {@link #awaitFirst} or {@link #awaitAll}. */
    public void startReceive(Object buffer, long offset, long length, int source) {
        try {
            transfers.add(device.irecv(buffer, offset, length, members.get(source), tag, context), length, source);
        } catch (DeviceException failure) {
            throw explain(failure, length, source);
        }
    }

    /** Blocks until the earliest started of the sends and receives that have not been awaited is done. */
    public void awaitFirst() {
        Request request = transfers.first();
        long length = transfers.firstLength();
        try {
            request.await();
        } catch (DeviceException failure) {
            throw explain(failure, length, transfers.firstPeer());
        }
        checkLength(length == ANY_LENGTH ? ANY_LENGTH : request.length(), length, transfers.firstPeer());
        transfers.removeFirst();
        request.release();
    }

    /** Blocks until every send and receive that has been started is done. */
    public void awaitAll() {
        while (!transfers.isEmpty()) {
            awaitFirst();
        }
    }

    /** Copies bytes between two buffers, as {@link Copying#copy} does. */
    public final void copy(Object source, long sourceOffset, Object target, long targetOffset, long length) {
        copyRuns(source, sourceOffset, length, target, targetOffset, length, length, 1);
    }

    /** Copies runs of bytes between two buffers, as {@link Copying#copyRuns} does. */
    public void copyRuns(
            Object source,
            long sourceOffset,
            long sourceStep,
            Object target,
            long targetOffset,
            long targetStep,
            long length,
            int count) {
        Copying.copyRuns(source, sourceOffset, sourceStep, target, targetOffset, targetStep, length, count);
    }

    /** Copies bytes unless source and target are the same place. */
    public final void copyUnlessSame(Object source, long sourceOffset, Object target, long targetOffset, long length) {
        if (source != target || sourceOffset != targetOffset) {
            copy(source, sourceOffset, target, targetOffset, length);
        }
    }

    /** The reduction to give to an algorithm in place of the caller's. */
    public Reduction combining(Reduction reduction) {
        return reduction;
    }

    /** Memory for at least {@code length} bytes until the collective ends, with any contents. */
    public Object scratch(long length) {
        return scratch.bytes(length);
    }

    /** Memory for at least {@code count} elements until the collective ends, with any contents. */
    public Object scratch(Reduction reduction, int count) {
        return scratch.elements(reduction, count);
    }

    /**
     * The one accumulator of this rank, started with its send vector, or in place if that is also the receive vector.
     *
     * @param receive memory that may be used, where the result is wanted; null for none
     * @param appends how often {@link Accumulator#append} will be called; if right, and if not in place, the result ends
     *     up in {@code receive} without a copy
     */
    public Accumulator accumulate(
            Reduction reduction,
            int count,
            Object send,
            long sendOffset,
            @Nullable Object receive,
            long receiveOffset,
            int appends) {
        accumulator.start(reduction, count, send, sendOffset, receive, receiveOffset, appends);
        return accumulator;
    }

    /** Rank of a member in the team that this is a part of: what the program knows. */
    final int rankInWhole(int member) {
        return whole == this ? member : indexOf(members.get(member), whole.members);
    }

    /** What goes wrong, in words. */
    final TeamFailures failures() {
        return failures;
    }

    private DeviceException explain(DeviceException failure, long length, int peer) {
        DeviceException explained = failures.explain(failure, running, length, peer);
        abandon();
        return explained;
    }

    /** Withdraws what is under way after a failure; memory that a late message may still reach is not used again. */
    void abandon() {
        whole.calls.spoil();
        calls.spoil();
        transfers.withdraw();
        accumulator.forget();
        scratch.discardTaken();
        if (seat != null) {
            seat.own().clear();
        }
        topology.abandon();
        running = false;
    }
}
