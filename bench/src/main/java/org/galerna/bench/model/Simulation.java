package org.galerna.bench.model;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Optional;
import java.util.Random;

/**
 * A discrete-event simulation of a {@link Program} on a {@link Machine}. All ranks start at 0, each with its own clock, and
 * the one whose clock is behind takes the next step. So what ranks share is taken in the order of time: the way of a host
 * into the network, the way back, the memory of a host, and the cores of a host that has more ranks than cores.
 *
 * <p>A rank keeps its core until it waits for something that has not happened. Then the one of its host that has been able to run
 * for longest gets the core, a turn later. A rank that waits can run for some looks, and then sleeps until what it waits for has
 * happened: then it has to be woken, which takes longer than a turn. Ranks get a core for the first time in an order that is not
 * theirs: in their order a chain from rank to rank would never wait. A message that is announced inside such a host is fetched by
 * its receiver, which needs its core for that.
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
    private final int[] awaited; // message that each rank waits for
    private final Agenda agenda;

    /**
     * By message: when it arrives. As long as that is not known, minus the time at which the first of both, the announcement or the
     * receive, was there; below that {@link #NOT_YET}.
     */
    private final double[] arrival;

    private final double[] outFree; // by rank: when its own way to others on its host is free
    private final double[] networkOut; // by host
    private final double[] networkIn; // by host
    private final double[] memoryFree; // by host

    // hosts with more ranks than cores
    private final boolean shared;
    private final IdleCores[] idle; // by host
    private final Deque<Integer>[] runnable; // by host
    private final boolean[] hasCore; // by rank
    private final boolean[] asleep; // by rank
    private final boolean[] hasSlept; // by rank: since it had a core
    private final int[] looks; // by rank: how often it looks before it sleeps

    private long betweenHosts;
    private long bytesBetweenHosts;

    /** The cores of a host that nobody has, by the time since when. */
    private static final class IdleCores {
        private final double[] since;
        private int count;

        IdleCores(int cores) {
            since = new double[cores];
            count = cores;
        }

        void add(double time) {
            since[count++] = time;
        }

        /** Takes the one that nobody has had for longest; returns since when. */
        double take() {
            int found = 0;
            for (int each = 1; each < count; each++) {
                if (since[each] < since[found]) {
                    found = each;
                }
            }
            double time = since[found];
            since[found] = since[--count];
            return time;
        }
    }

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
        int hosts = machine.hostOf(ranks - 1) + 1;
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
        agenda = new Agenda(ranks);
        arrival = new double[program.messageCount()];
        Arrays.fill(arrival, NOT_YET);
        outFree = new double[ranks];
        networkOut = new double[hosts];
        networkIn = new double[hosts];
        memoryFree = new double[hosts];
        shared = Math.min(machine.ranksPerHost(), ranks) > machine.coresPerHost();
        idle = new IdleCores[hosts];
        runnable = new Deque[hosts];
        hasCore = new boolean[ranks];
        asleep = new boolean[ranks];
        hasSlept = new boolean[ranks];
        looks = new int[ranks];
        if (shared) {
            for (int each = 0; each < hosts; each++) {
                runnable[each] = new ArrayDeque<>();
                idle[each] = new IdleCores(machine.coresPerHost());
            }
        }
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
        if (shared) {
            for (int rank : inAnyOrder(program.size())) {
                runnable[host[rank]].add(rank);
            }
        } else {
            for (int rank = 0; rank < program.size(); rank++) {
                agenda.add(rank, 0);
            }
        }
        if (shared) {
            for (int each = 0; each < runnable.length; each++) {
                dispatch(each);
            }
        }
        for (int rank = agenda.poll(); rank != NOBODY; rank = agenda.poll()) {
            if (clock[rank] > limit) {
                return Optional.empty();
            }
            if (shared && !hasCore[rank]) {
                runnable[host[rank]].add(rank);
                dispatch(host[rank]);
            } else if (awaited[rank] == NOTHING || isThere(awaited[rank], clock[rank])) {
                awaited[rank] = NOTHING;
                proceed(rank);
            } else {
                pause(rank);
            }
        }
        double end = 0;
        for (int rank = 0; rank < program.size(); rank++) {
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

    /** All ranks, in an order that has nothing to do with what they do; always the same one. */
    private static int[] inAnyOrder(int size) {
        int[] order = new int[size];
        Arrays.setAll(order, rank -> rank);
        Random random = new Random(size);
        for (int place = size - 1; place > 0; place--) {
            int other = random.nextInt(place + 1);
            int rank = order[place];
            order[place] = order[other];
            order[other] = rank;
        }
        return order;
    }

    /** Gives cores that are idle to ranks that can run. */
    private void dispatch(int on) {
        while (idle[on].count > 0 && !runnable[on].isEmpty()) {
            int rank = runnable[on].remove();
            double since = idle[on].take();
            if (next[rank] == program.start(rank)) {
                clock[rank] = Math.max(clock[rank], since);
            } else {
                clock[rank] = Math.max(clock[rank], since) + (hasSlept[rank] ? machine.wake() : machine.turn());
            }
            hasSlept[rank] = false;
            hasCore[rank] = true;
            agenda.add(rank, clock[rank]);
        }
    }

    private void giveCoreAway(int rank) {
        if (shared) {
            hasCore[rank] = false;
            idle[host[rank]].add(clock[rank]);
            dispatch(host[rank]);
        }
    }

    private boolean isThere(int message, double now) {
        double done = arrival[message];
        // not known yet, or the first of both; a message arrives after time 0, or the model has no time for it at all
        return !Double.isNaN(done) && Double.doubleToRawLongBits(done) >= 0 && done <= now;
    }

    /** A rank that shares its core has looked for a message that is not there. */
    private void pause(int rank) {
        if (looks[rank] > 0) {
            looks[rank]--;
            if (runnable[host[rank]].isEmpty()) {
                clock[rank] += machine.turn();
                agenda.add(rank, clock[rank]);
            } else {
                runnable[host[rank]].add(rank);
                giveCoreAway(rank);
            }
        } else {
            int message = awaited[rank];
            asleep[rank] = true;
            giveCoreAway(rank);
            if (isThere(message, Double.POSITIVE_INFINITY)) {
                rouse(rank, message);
            }
        }
    }

    private void rouse(int rank, int message) {
        awaited[rank] = NOTHING;
        asleep[rank] = false;
        hasSlept[rank] = true;
        clock[rank] = Math.max(clock[rank], arrival[message]);
        agenda.add(rank, clock[rank]);
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
        giveCoreAway(rank);
    }

    private void work(int rank, long size, double perByte) {
        clock[rank] = Math.max(clock[rank] + size * perByte, memory(host[rank], clock[rank], size));
    }

    /** When the memory of a host has moved so many bytes, after what came before. */
    private double memory(int of, double from, long size) {
        if (machine.memoryPerByte() == 0) {
            return from;
        }
        memoryFree[of] = Math.max(from, memoryFree[of]) + size * machine.memoryPerByte();
        return memoryFree[of];
    }

    private LinkCost cost(int one, int other) {
        if (host[one] != host[other]) {
            return onNetwork;
        }
        return socket[one] == socket[other] ? onSocket : onHost;
    }

    private void send(int rank, int step) {
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
            clock[rank] += bytes * cost.overheadPerByte();
            move(message, rank, receiver, bytes, cost, clock[rank]);
        } else {
            meet(message, rank, receiver, bytes, cost, clock[rank] + cost.latency());
        }
    }

    private void receive(int rank, int step) {
        int sender = program.peer(step);
        LinkCost cost = cost(sender, rank);
        long bytes = program.value(step);
        if (bytes >= cost.announced()) {
            meet(program.target(step), sender, rank, bytes, cost, clock[rank]);
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
        double moving = bytes * cost.gapPerByte();
        double busy = Math.max(cost.gap(), moving);
        int one = host[sender];
        int other = host[receiver];
        if (one == other && shared) {
            // a copy needs the core of a rank: of an announced message, that of its receiver
            arrival[message] = (bytes < cost.announced() ? memory(one, from, bytes) : from) + cost.latency();
        } else if (one == other) {
            double start = Math.max(from, outFree[sender]);
            outFree[sender] = start + busy;
            arrival[message] = Math.max(start + moving, memory(one, from, bytes)) + cost.latency();
        } else {
            double start = Math.max(from, networkOut[one]);
            networkOut[one] = start + busy;
            // the first byte needs the latency; the last one is in when the way in has had time for all of them
            double in = Math.max(start + cost.latency(), networkIn[other]);
            arrival[message] = in + moving;
            networkIn[other] = in + busy;
        }
        wake(receiver, message);
    }

    /** Lets a rank go on if it waits for this message, which arrives at a time that is known now. */
    private void wake(int rank, int message) {
        if (awaited[rank] == message && (!shared || asleep[rank])) {
            rouse(rank, message);
        }
    }

    /** Whether what is awaited is done, by the clock of the rank or a little later if it has a core of its own. */
    private boolean await(int rank, int step) {
        int message = program.target(step);
        boolean receives = program.kind(step) == Program.Kind.RECEIVE;
        LinkCost cost = cost(rank, program.peer(step));
        long bytes = program.value(step);
        boolean announced = bytes >= cost.announced();
        if (!receives && !announced) {
            return true;
        }
        if (!isThere(message, shared ? clock[rank] : Double.POSITIVE_INFINITY)) {
            awaited[rank] = message;
            if (shared) {
                looks[rank] = machine.looks();
                pause(rank);
            }
            return false;
        }
        clock[rank] = Math.max(clock[rank], arrival[message]);
        if (receives) {
            clock[rank] += cost.overhead() + (announced ? 0 : bytes * cost.overheadPerByte());
            if (announced && shared && host[rank] == host[program.peer(step)]) {
                work(rank, bytes, cost.gapPerByte());
            }
        }
        return true;
    }
}
