package org.galerna.bench.model;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A discrete-event simulation of a {@link Program} on a {@link Machine}. All ranks start at 0, each with its own clock, and
 * the one whose clock is behind takes the next step. So what ranks share is taken in the order of time: the way of a host
 * into the network, the way back, the memory of a host, and the cores of a host that has more ranks than cores.
 *
 * <p>Where ranks share {@link Cores}, a rank keeps its core until it waits for something that has not happened. It looks for that a
 * number of times, and then sleeps until something comes to it, for which it has to be woken. Ranks get a core for the first time in an
 * order that is not theirs: in their order a chain from rank to rank would never wait. A look takes all messages that have come, which costs the time to receive
 * them and makes {@linkplain Rooms room} when it has them. A message for which there is none waits at its sender, which looks for room whenever it looks
 * for messages, and sleeps for a while in between. A message that is announced inside such a host is fetched by its receiver, which
 * needs its core for that.
 */
final class Simulation {
    private static final double NOT_YET = Double.NaN;
    private static final int NOBODY = -1;
    private static final int NOTHING = -1;

    private final Machine machine;
    private final Program program;
    private final int[] host; // by rank
    private final int[] socket; // by rank
    private final LinkCost onSocket;
    private final LinkCost onHost;
    private final LinkCost onNetwork;

    private final double[] clock; // by rank
    private final int[] next; // step of each rank
    private final int[] awaited; // send or receive that each rank waits for
    private final Agenda agenda;

    /**
     * By message: when it arrives. As long as that is not known, minus the time at which the first of both, the announcement or the
     * receive, was there; below that {@link #NOT_YET}.
     */
    private final double[] arrival;

    private final Ways ways;

    // hosts with more ranks than cores
    private final @Nullable Cores cores;
    private final Rooms rooms;
    private final BitSet wanted = new BitSet(); // messages whose receives have started
    private final boolean[] asleep; // by rank
    private final int[] looks; // by rank: how often it looks before it sleeps
    private final double[] looked; // by rank: when it has taken what had come
    private final double[] taking; // by rank: seconds that it needs to take what has come
    private final long[] takenBytes; // by rank: bytes that the memory copies meanwhile
    private final Deque<Integer>[] backlog; // by rank: its sends for which there was no room
    private final int[] vain; // by rank: how often it has slept for room
    private final double[] sleepEnds; // by rank: if it is on the agenda, under a number behind all ranks

    private long betweenHosts;
    private long bytesBetweenHosts;

    /**
     * What came out.
     *
     * @param seconds until the last rank is done
     * @param messages of all ranks
     * @param bytes of all messages
     * @param messagesBetweenHosts of these
     * @param bytesBetweenHosts of these
     */
    record Outcome(double seconds, long messages, long bytes, long messagesBetweenHosts, long bytesBetweenHosts) {}

    @SuppressWarnings({"unchecked", "rawtypes"})
    private Simulation(Machine machine, Program program) {
        this.machine = machine;
        this.program = program;
        int ranks = program.size();
        host = new int[ranks];
        Arrays.setAll(host, machine::hostOf);
        socket = new int[ranks];
        Arrays.setAll(socket, machine::socketOf);
        onSocket = machine.link(Level.SOCKET);
        onHost = machine.link(Level.HOST);
        onNetwork = machine.link(Level.NETWORK);
        clock = new double[ranks];
        next = new int[ranks];
        Arrays.setAll(next, program::start);
        awaited = new int[ranks];
        Arrays.fill(awaited, NOTHING);
        agenda = new Agenda(2 * ranks);
        arrival = new double[program.messageCount()];
        Arrays.fill(arrival, NOT_YET);
        ways = new Ways(machine, host, rank -> program.touched(rank, step -> passesMemory(rank, step)));
        cores = Math.min(machine.ranksPerHost(), ranks) > machine.coresPerHost()
                ? new Cores(machine, host, clock, agenda)
                : null;
        int sharing = cores == null ? 0 : ranks;
        rooms = new Rooms(machine.room(), sharing);
        asleep = new boolean[ranks];
        looks = new int[sharing];
        looked = new double[sharing];
        taking = new double[sharing];
        takenBytes = new long[sharing];
        vain = new int[sharing];
        sleepEnds = new double[sharing];
        Arrays.fill(sleepEnds, Double.NaN);
        backlog = new Deque[sharing];
        Arrays.setAll(backlog, _ -> new ArrayDeque<>());
    }

    /**
     * Runs a program whose messages are matched.
     *
     * @param limit seconds after which the outcome is not of interest any more
     * @return nothing if it takes longer than that
     */
    static Optional<Outcome> run(Machine machine, Program program, double limit) {
        return new Simulation(machine, program).run(limit);
    }

    private Optional<Outcome> run(double limit) {
        int size = program.size();
        if (cores != null) {
            cores.start();
        } else {
            for (int rank = 0; rank < size; rank++) {
                agenda.add(rank, 0);
            }
        }
        for (int due = agenda.poll(); due != NOBODY; due = agenda.poll()) {
            if (due >= size) {
                endSleep(due - size);
            } else if (clock[due] > limit) {
                return Optional.empty();
            } else {
                goOn(due);
            }
        }
        double end = 0;
        for (int rank = 0; rank < size; rank++) {
            if (next[rank] < program.start(rank + 1)) {
                throw new IllegalStateException("rank " + rank + " waits for ever");
            }
            end = Math.max(end, clock[rank]);
        }
        if (end > limit) {
            return Optional.empty();
        }
        return Optional.of(new Outcome(end, program.messageCount(), program.bytes(), betweenHosts, bytesBetweenHosts));
    }

    private void goOn(int rank) {
        if (cores != null && !cores.has(rank)) {
            cores.ask(rank);
        } else if (awaited[rank] == NOTHING || isOver(rank, awaited[rank])) {
            awaited[rank] = NOTHING;
            proceed(rank);
        } else if (cores != null) {
            if (look(rank, cores)) {
                looks[rank] = machine.sharing().looks();
                agenda.add(rank, clock[rank]);
            } else {
                pause(rank, cores);
            }
        }
    }

    /** Takes steps until the rank waits, is done, or is no longer the one that is behind. */
    private void proceed(int rank) {
        int end = program.start(rank + 1);
        while (next[rank] < end) {
            int step = next[rank];
            switch (program.kind(step)) {
                case SEND -> send(rank, step);
                case RECEIVE -> receive(rank, step);
                case COPY -> work(rank, program.value(step), machine.copyPerByte());
                case COMBINE -> work(rank, program.value(step), machine.combinePerByte());
                case AWAIT -> {
                    if (!await(rank, program.target(step))) {
                        return;
                    }
                }
            }
            next[rank]++;
            if (next[rank] < end && clock[rank] > agenda.earliest()) {
                agenda.add(rank, clock[rank]);
                return;
            }
        }
        if (cores != null) {
            cores.giveAway(rank);
        }
    }

    /** Whether what is awaited is over; if not, the rank goes on when it is. */
    private boolean await(int rank, int step) {
        if (!isOver(rank, step)) {
            awaited[rank] = step;
            if (cores != null) {
                looks[rank] = machine.sharing().looks();
                agenda.add(rank, clock[rank]); // to look
            }
            return false;
        }
        boolean receives = program.kind(step) == Program.Kind.RECEIVE;
        boolean announced = isAnnounced(rank, step);
        if (receives || announced) {
            clock[rank] = Math.max(clock[rank], arrival[program.target(step)]);
        }
        if (receives && announced) {
            LinkCost cost = cost(rank, program.peer(step));
            clock[rank] += cost.overhead();
            if (sharesCores(rank, program.peer(step))) {
                work(rank, program.value(step), cost.gapPerByte());
            }
        } else if (receives && !sharesCores(rank, program.peer(step))) {
            clock[rank] += ownSeconds(cost(rank, program.peer(step)), program.value(step));
        }
        return true;
    }

    private boolean isAnnounced(int rank, int step) {
        return program.value(step) >= cost(rank, program.peer(step)).announced();
    }

    /** Whether a message lies in memory of both ranks on its way. */
    private boolean passesMemory(int rank, int step) {
        return host[rank] == host[program.peer(step)] && !isAnnounced(rank, step);
    }

    private boolean sharesCores(int rank, int other) {
        return cores != null && host[rank] == host[other];
    }

    /** By the clock of the rank, or a little later if it has a core of its own. */
    private boolean isOver(int rank, int step) {
        int message = program.target(step);
        boolean receives = program.kind(step) == Program.Kind.RECEIVE;
        if (isAnnounced(rank, step)) {
            return isThere(message, cores == null ? Double.POSITIVE_INFINITY : clock[rank]);
        }
        if (!sharesCores(rank, program.peer(step))) {
            return !receives || isThere(message, cores == null ? Double.POSITIVE_INFINITY : clock[rank]);
        }
        return isThere(message, receives ? looked[rank] : Double.POSITIVE_INFINITY);
    }

    private boolean isThere(int message, double now) {
        double done = arrival[message];
        // not known yet, or the first of both; a message arrives after time 0, or the model has no time for it at all
        return !Double.isNaN(done) && Double.doubleToRawLongBits(done) >= 0 && done <= now;
    }

    /** Takes what has come, and sends what there is room for. Whether there was anything. */
    private boolean look(int rank, Cores on) {
        boolean found = taking[rank] > 0;
        looked[rank] = clock[rank];
        if (found) {
            on.use(rank);
            clock[rank] = Math.max(clock[rank] + taking[rank], ways.memory(host[rank], clock[rank], takenBytes[rank]));
            taking[rank] = 0;
            takenBytes[rank] = 0;
            rooms.clear(rank, looked[rank], clock[rank]);
        }
        return flush(rank) || found;
    }

    private boolean flush(int rank) {
        boolean sent = false;
        Set<Integer> full = new HashSet<>();
        for (Iterator<Integer> waiting = backlog[rank].iterator(); waiting.hasNext(); ) {
            int step = waiting.next();
            int receiver = program.peer(step);
            if (!full.contains(receiver) && rooms.take(rank, receiver, program.value(step), clock[rank])) {
                waiting.remove();
                sendNow(rank, step);
                sent = true;
            } else {
                full.add(receiver); // those that follow wait behind it
            }
        }
        if (sent) {
            vain[rank] = 0;
        }
        return sent;
    }

    /** A rank that shares its core has looked, and found nothing. */
    private void pause(int rank, Cores on) {
        if (looks[rank] > 0) {
            looks[rank]--;
            if (on.areWanted(rank)) {
                on.handOn(rank);
            } else {
                clock[rank] += machine.sharing().look();
                agenda.add(rank, clock[rank]);
            }
            return;
        }
        asleep[rank] = true;
        if (!backlog[rank].isEmpty() && Double.isNaN(sleepEnds[rank])) {
            sleepEnds[rank] = clock[rank] + machine.room().sleep(vain[rank]++);
            agenda.add(program.size() + rank, sleepEnds[rank]);
        }
        on.giveAway(rank);
        int message = program.target(awaited[rank]);
        if (isThere(message, Double.POSITIVE_INFINITY)) {
            rouse(rank, arrival[message]);
        }
    }

    /** The time is over that a rank has wanted to sleep until it looks for room. */
    private void endSleep(int rank) {
        double time = sleepEnds[rank];
        sleepEnds[rank] = Double.NaN;
        if (asleep[rank]) {
            rouse(rank, time);
        }
    }

    private void rouse(int rank, double time) {
        asleep[rank] = false;
        clock[rank] = Math.max(clock[rank], time);
        if (cores != null) {
            cores.wake(rank);
        }
        agenda.add(rank, clock[rank]);
    }

    private void work(int rank, long size, double perByte) {
        clock[rank] = Math.max(clock[rank] + size * perByte, ways.memory(host[rank], clock[rank], size));
    }

    private LinkCost cost(int one, int other) {
        if (host[one] != host[other]) {
            return onNetwork;
        }
        return socket[one] == socket[other] ? onSocket : onHost;
    }

    private void send(int rank, int step) {
        int receiver = program.peer(step);
        if (sharesCores(rank, receiver) && !isAnnounced(rank, step) && !takesRoom(rank, step)) {
            if (backlog[rank].isEmpty()) {
                vain[rank] = 0;
            }
            backlog[rank].add(step);
        } else {
            sendNow(rank, step);
        }
    }

    private boolean takesRoom(int rank, int step) {
        int receiver = program.peer(step);
        for (int waiting : backlog[rank]) {
            if (program.peer(waiting) == receiver) {
                return false;
            }
        }
        return rooms.take(rank, receiver, program.value(step), clock[rank]);
    }

    private void sendNow(int rank, int step) {
        if (cores != null) {
            cores.use(rank);
        }
        int message = program.target(step);
        int receiver = program.peer(step);
        long bytes = program.value(step);
        LinkCost cost = cost(rank, receiver);
        if (host[rank] != host[receiver]) {
            betweenHosts++;
            bytesBetweenHosts += bytes;
        }
        clock[rank] += cost.overhead();
        if (bytes < cost.announced()) {
            if (sharesCores(rank, receiver)) {
                work(rank, bytes, cost.overheadPerByte());
            } else {
                clock[rank] += bytes * cost.overheadPerByte();
            }
            move(message, rank, receiver, bytes, cost, clock[rank]);
        } else {
            meet(message, rank, receiver, bytes, cost, clock[rank] + cost.latency());
        }
    }

    private static double ownSeconds(LinkCost cost, long bytes) {
        return cost.overhead() + bytes * cost.overheadPerByte();
    }

    private void receive(int rank, int step) {
        int sender = program.peer(step);
        LinkCost cost = cost(sender, rank);
        long bytes = program.value(step);
        if (bytes >= cost.announced()) {
            meet(program.target(step), sender, rank, bytes, cost, clock[rank]);
        } else if (cores != null) {
            wanted.set(program.target(step));
        }
    }

    /** An announced message moves when the receiver has heard of it, has started the receive, and has said so. */
    private void meet(int message, int sender, int receiver, long bytes, LinkCost cost, double time) {
        double other = arrival[message];
        if (Double.isNaN(other)) {
            arrival[message] = -time;
        } else {
            move(message, sender, receiver, bytes, cost, Math.max(time, -other) + cost.overhead() + cost.latency());
            wake(sender, message);
        }
    }

    private void move(int message, int sender, int receiver, long bytes, LinkCost cost, double from) {
        if (!sharesCores(sender, receiver)) {
            arrival[message] = ways.move(sender, receiver, bytes, cost, from);
        } else if (bytes >= cost.announced()) {
            arrival[message] = from + cost.latency(); // the copy needs the core of the receiver
        } else {
            arrival[message] = from + cost.latency();
            taking[receiver] += ownSeconds(cost, bytes);
            takenBytes[receiver] += bytes / 2; // what it reads has just been written, and is in the cache
            if (!wanted.get(message)) {
                takenBytes[receiver] += bytes; // is written and read once more
                taking[receiver] +=
                        machine.sharing().keep() + bytes * machine.sharing().keepPerByte();
            }
        }
        wake(receiver, message);
    }

    /** Lets a rank go on that waits for this message, or sleeps; it arrives at a time that is known now. */
    private void wake(int rank, int message) {
        boolean waits = awaited[rank] != NOTHING && program.target(awaited[rank]) == message;
        if (cores == null ? waits : asleep[rank]) {
            rouse(rank, arrival[message]);
        }
    }
}
