package org.galerna.collectives.team;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.galerna.collectives.buffer.Copying;
import org.galerna.collectives.reduction.Reduction;
import org.galerna.device.Device;
import org.galerna.device.DeviceException;
import org.galerna.device.Devices;
import org.galerna.device.ErrorClass;
import org.galerna.device.Request;
import org.galerna.device.SharedHeap;
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
public sealed class Team permits RecordingTeam {
    /** Length of what is not checked: a send. */
    static final long ANY_LENGTH = -1;

    private final Device device;
    private final int[] members;
    private final int rank;
    private final int context;
    private final ScratchPool scratch = new ScratchPool();
    private final Accumulator accumulator = new Accumulator(this);

    /** Started and not yet awaited: the elements from {@code pendingStart} to before {@code pendingEnd}. */
    private @Nullable Request[] pending = new @Nullable Request[16];

    private long[] pendingLengths = new long[16];
    private int[] pendingPeers = new int[16];
    private int pendingStart;
    private int pendingEnd;

    private final @Nullable SharedHeap heap;
    private @Nullable Seat seat;

    private @Nullable TeamShape shape;
    private @Nullable String deviceInTables;
    private @Nullable HostTeams byHost;
    /** Whether the collective that has begun uses {@code byHost}. */
    private boolean usesHosts;

    /** Which part of another team this is, for errors; empty if it is none. */
    private final String part;

    private boolean running;
    private String operation = "";
    private String algorithm = "";
    private int tag;

    /**
     * The members of a team as the rank of {@code device} sees them.
     *
     * @param device carries the messages
     * @param members device rank of each team rank; copied
     * @param context context of the collectives, which no other messages of the device have
     * @throws IllegalArgumentException if this rank is not a member
     */
    public Team(Device device, int[] members, int context) {
        this.device = device;
        this.members = members.clone();
        this.context = context;
        this.rank = indexOf(device.rank());
        this.heap = device.sharedHeap(members);
        this.part = "";
    }

    /** Some of the members of a team, given by their ranks in it, for messages in its context. */
    Team(Team whole, int[] some, String part) {
        this.device = whole.device;
        this.members = Arrays.stream(some).map(whole::deviceRank).toArray();
        this.context = whole.context;
        this.rank = indexOf(device.rank());
        this.heap = device.sharedHeap(members);
        this.part = part;
    }

    /** The members of a team, without the memory that they share and without regard to their hosts. */
    Team(Team like) {
        this.device = like.device;
        this.members = like.members;
        this.context = like.context;
        this.rank = like.rank;
        this.heap = null;
        this.part = like.part;
        this.shape = new TeamShape(members.length, false, TeamShape.Groups.NONE);
    }

    private int indexOf(int deviceRank) {
        for (int member = 0; member < members.length; member++) {
            if (members[member] == deviceRank) {
                return member;
            }
        }
        throw new IllegalArgumentException(
                "rank " + deviceRank + " is not one of the team " + Arrays.toString(members));
    }

    /** This member, 0 to {@code size() - 1}. */
    public int rank() {
        return rank;
    }

    /** Number of members, at least 1. */
    public int size() {
        return members.length;
    }

    /** Device rank of a member. */
    public int deviceRank(int member) {
        return members[member];
    }

    /** What carries the messages. */
    public Device device() {
        return device;
    }

    /**
     * Name of the device whose lines of a table of decisions count: that of the device, but with {@code hybdev} between
     * processes of one host, the messages take the way of {@code shmdev}.
     */
    public String deviceInTables() {
        String present = deviceInTables;
        if (present == null) {
            String name = device.name();
            present = name.equals(Devices.HYBDEV) && heap == null && HostTeams.number(device.hosts(), members) == 1
                    ? Devices.SHMDEV
                    : name;
            deviceInTables = present;
        }
        return present;
    }

    /** The context that the messages travel in. */
    public int context() {
        return context;
    }

    /** What the choice of an algorithm depends on. */
    public TeamShape shape() {
        TeamShape present = shape;
        if (present == null) {
            present = new TeamShape(members.length, heap != null, HostTeams.groups(device.hosts(), members));
            shape = present;
        }
        return present;
    }

    /** The members by their hosts, ready for the collective that has begun, and made in the first one that asks. */
    public HostTeams byHost() {
        HostTeams present = byHost;
        if (present == null) {
            present = new HostTeams(this);
            byHost = present;
        }
        present.begin(operation, algorithm, tag);
        usesHosts = true;
        return present;
    }

    /**
     * The place of this rank at the memory that all members share, ready for the collective that has begun. All members
     * ask for it in the same collective for the first time.
     *
     * @throws NullPointerException if they share no heap
     */
    public Seat seat() {
        Seat present = seat;
        if (present == null) {
            present = takeSeat(Objects.requireNonNull(heap, "the members share no heap"));
            seat = present;
        }
        present.describe(operation, algorithm, tag);
        return present;
    }

    private Seat takeSeat(SharedHeap common) {
        List<Integer> everybody = Arrays.stream(members).boxed().toList();
        BoardKey key = new BoardKey(context, everybody);
        Board board = common.meet(Board.class, key, members.length, () -> new Board(members.length));
        return new Seat(board, common, members, rank);
    }

    private record BoardKey(int context, List<Integer> members) {}

    /**
     * Starts a collective: its messages have {@code tag}, and errors name the operation and the algorithm.
     *
     * @param tag the same on every member, and another one for each operation
     */
    public void begin(String operation, String algorithm, int tag) {
        if (running) {
            abandon();
        }
        this.operation = operation;
        this.algorithm = algorithm;
        this.tag = tag;
        running = true;
    }

    /** Ends a collective that has succeeded; its scratch memory serves the next one. */
    public void end() {
        running = false;
        accumulator.forget();
        scratch.giveBack();
        if (usesHosts && byHost != null) {
            byHost.end();
            usesHosts = false;
        }
    }

    /** Sends to a member, blocking until the buffer may be changed. */
    public void send(Object buffer, long offset, long length, int destination) {
        try {
            device.send(buffer, offset, length, members[destination], tag, context);
        } catch (DeviceException failure) {
            throw explain(failure, "sending", "to", destination);
        }
    }

    /** Receives exactly {@code length} bytes from a member, blocking. */
    public void receive(Object buffer, long offset, long length, int source) {
        try {
            Request request = device.recv(buffer, offset, length, members[source], tag, context);
            long received = request.length();
            request.release();
            if (received != length) {
                throw wrongLength(received, length);
            }
        } catch (DeviceException failure) {
            throw explain(failure, "receiving", "from", source);
        }
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

    /** Starts a send, to be completed by {@link #awaitFirst} or {@link #awaitAll}. */
    public void startSend(Object buffer, long offset, long length, int destination) {
        try {
            pend(device.isend(buffer, offset, length, members[destination], tag, context), ANY_LENGTH, destination);
        } catch (DeviceException failure) {
            throw explain(failure, "sending", "to", destination);
        }
    }

    /**
     * Starts a receive of exactly {@code length} bytes, to be completed by {@link #awaitFirst} or {@link #awaitAll}.
     */
    public void startReceive(Object buffer, long offset, long length, int source) {
        try {
            pend(device.irecv(buffer, offset, length, members[source], tag, context), length, source);
        } catch (DeviceException failure) {
            throw explain(failure, "receiving", "from", source);
        }
    }

    private void pend(Request request, long length, int peer) {
        if (pendingEnd == pending.length) {
            int grown = 2 * pendingEnd;
            pending = Arrays.copyOf(pending, grown);
            pendingLengths = Arrays.copyOf(pendingLengths, grown);
            pendingPeers = Arrays.copyOf(pendingPeers, grown);
        }
        pending[pendingEnd] = request;
        pendingLengths[pendingEnd] = length;
        pendingPeers[pendingEnd] = peer;
        pendingEnd++;
    }

    /** Blocks until the earliest started of the sends and receives that have not been awaited is done. */
    public void awaitFirst() {
        int index = pendingStart;
        Request request = Objects.requireNonNull(pending[index], "nothing has been started");
        long length = pendingLengths[index];
        try {
            request.await();
            long transferred = request.length();
            if (length != ANY_LENGTH && transferred != length) {
                throw wrongLength(transferred, length);
            }
        } catch (DeviceException failure) {
            boolean receiving = length != ANY_LENGTH;
            throw explain(failure, receiving ? "receiving" : "sending", receiving ? "from" : "to", pendingPeers[index]);
        }
        pending[index] = null;
        pendingStart = index + 1;
        if (pendingStart == pendingEnd) {
            pendingStart = 0;
            pendingEnd = 0;
        }
        request.release();
    }

    /** Blocks until every send and receive that has been started is done. */
    public void awaitAll() {
        while (pendingStart < pendingEnd) {
            awaitFirst();
        }
    }

    /** Copies bytes between two buffers, as {@link Copying#copy} does. */
    public void copy(Object source, long sourceOffset, Object target, long targetOffset, long length) {
        Copying.copy(source, sourceOffset, target, targetOffset, length);
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
     * The accumulator of this rank, started with its send vector, or in place if that is also the receive vector. There
     * is one, which a collective uses for one vector at a time.
     *
     * @param count elements of the vector
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

    static DeviceException wrongLength(long received, long expected) {
        return new DeviceException(
                ErrorClass.COUNT,
                "the message has " + received + " bytes instead of " + expected
                        + "; all ranks have to call the collective with matching counts");
    }

    private DeviceException explain(DeviceException failure, String doing, String preposition, int peer) {
        abandon();
        return explain(failure, operation, algorithm, doing, preposition, peer);
    }

    /** A failure with the words of the collective that it happened in. */
    final DeviceException explain(
            DeviceException failure, String during, String by, String doing, String preposition, int peer) {
        return new DeviceException(
                failure.errorClass(),
                "rank %d of %d in %s (%s%s), %s %s rank %d (device rank %d): %s"
                        .formatted(
                                rank,
                                members.length,
                                during,
                                by,
                                part,
                                doing,
                                preposition,
                                peer,
                                members[peer],
                                failure.getMessage()),
                failure);
    }

    /** Withdraws what is under way after a failure; memory that a late message may still reach is not used again. */
    void abandon() {
        for (int index = pendingStart; index < pendingEnd; index++) {
            Request request = pending[index];
            pending[index] = null;
            if (request != null && (request.isDone() || request.cancel())) {
                request.release();
            }
        }
        pendingStart = 0;
        pendingEnd = 0;
        accumulator.forget();
        scratch.discardTaken();
        if (seat != null) {
            seat.own().clear();
        }
        if (usesHosts && byHost != null) {
            byHost.abandon();
            usesHosts = false;
        }
        running = false;
    }
}
