package org.galerna.bench.model;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/**
 * A discrete-event simulation of a {@link Program} on a {@link Machine}. All ranks start at 0, each with its own clock, and
 * the one whose clock is behind takes the next step. So what ranks share is taken in the order of time: the way of a host
 * into the network, the way back, the memory of a host, and the cores of a host that has more ranks than cores.
 *
 * <p>A rank keeps its core until it waits for something that has not happened. Then the next rank of its host that can run
 * gets the core, a turn later. If there is none, the core has nothing to do, and the next rank has to be woken.
 */
final class Simulation {
    private static final double NEVER = Double.POSITIVE_INFINITY;
    private static final int NOBODY = -1;

    private final Machine machine;
    private final Program program;

    private final double[] clock; // by rank
    private final int[] next; // step of each rank
    private final Agenda agenda;

    // by message
    private final double[] arrival;
    private final double[] sendDone;
    private final double[] announcedAt; // when the receiver hears of it; NEVER if it is not announced or not yet
    private final double[] receiveStarted;
    private final int[] sender;
    private final int[] receiver;
    private final long[] bytes;
    private final int[] waitingSender;
    private final int[] waitingReceiver;

    private final double[] outFree; // by rank: when its own way to others on its host is free
    private final double[] networkOut; // by host
    private final double[] networkIn; // by host
    private final double[] memoryFree; // by host

    // hosts with more ranks than cores
    private final boolean shared;
    private final int[] coresFree; // by host
    private final double[][] coreTimes;
    private final Deque<Integer>[] runnable; // by host
    private final boolean[] hasCore; // by rank

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
        int messages = program.messageCount();
        int hosts = machine.hostOf(ranks - 1) + 1;
        clock = new double[ranks];
        next = new int[ranks];
        agenda = new Agenda(ranks);
        arrival = filled(messages, NEVER);
        sendDone = filled(messages, NEVER);
        announcedAt = filled(messages, NEVER);
        receiveStarted = filled(messages, NEVER);
        sender = new int[messages];
        receiver = new int[messages];
        bytes = new long[messages];
        waitingSender = new int[messages];
        waitingReceiver = new int[messages];
        Arrays.fill(waitingSender, NOBODY);
        Arrays.fill(waitingReceiver, NOBODY);
        outFree = new double[ranks];
        networkOut = new double[hosts];
        networkIn = new double[hosts];
        memoryFree = new double[hosts];
        shared = Math.min(machine.ranksPerHost(), ranks) > machine.coresPerHost();
        coresFree = new int[hosts];
        coreTimes = new double[hosts][];
        runnable = new Deque[hosts];
        hasCore = new boolean[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            next[rank] = program.start(rank);
            for (int step = program.start(rank); step < program.start(rank + 1); step++) {
                if (program.kind(step) == Program.Kind.SEND) {
                    int message = program.target(step);
                    sender[message] = rank;
                    receiver[message] = program.peer(step);
                    bytes[message] = program.value(step);
                    if (machine.hostOf(rank) != machine.hostOf(program.peer(step))) {
                        betweenHosts++;
                        bytesBetweenHosts += program.value(step);
                    }
                }
            }
        }
        if (shared) {
            for (int host = 0; host < hosts; host++) {
                runnable[host] = new ArrayDeque<>();
                coresFree[host] = machine.coresPerHost();
                coreTimes[host] = new double[machine.coresPerHost()];
            }
        }
    }

    private static double[] filled(int length, double value) {
        double[] array = new double[length];
        Arrays.fill(array, value);
        return array;
    }

    /** Runs a program whose messages are matched. */
    static Outcome run(Machine machine, Program program) {
        return new Simulation(machine, program).run();
    }

    private Outcome run() {
        for (int rank = 0; rank < program.size(); rank++) {
            ready(rank, 0);
        }
        for (int rank = agenda.poll(); rank != NOBODY; rank = agenda.poll()) {
            proceed(rank);
        }
        double end = 0;
        for (int rank = 0; rank < program.size(); rank++) {
            if (next[rank] < program.start(rank + 1)) {
                throw new IllegalStateException("rank " + rank + " waits for ever");
            }
            end = Math.max(end, clock[rank]);
        }
        return new Outcome(end, program.messageCount(), program.bytes(), betweenHosts, bytesBetweenHosts);
    }

    /** A rank can go on at a time. */
    private void ready(int rank, double time) {
        clock[rank] = Math.max(clock[rank], time);
        if (!shared) {
            agenda.add(rank, clock[rank]);
            return;
        }
        runnable[machine.hostOf(rank)].add(rank);
        dispatch(machine.hostOf(rank));
    }

    private void dispatch(int host) {
        while (coresFree[host] > 0 && !runnable[host].isEmpty()) {
            int rank = runnable[host].remove();
            int core = earliest(coreTimes[host]);
            double free = coreTimes[host][core];
            if (next[rank] == program.start(rank)) {
                clock[rank] = Math.max(clock[rank], free);
            } else if (free < clock[rank]) {
                clock[rank] += machine.wake(); // the core has had nothing to do
            } else {
                clock[rank] = free + machine.turn();
            }
            coreTimes[host][core] = NEVER; // taken
            coresFree[host]--;
            hasCore[rank] = true;
            agenda.add(rank, clock[rank]);
        }
    }

    private static int earliest(double[] times) {
        int found = 0;
        for (int each = 1; each < times.length; each++) {
            if (times[each] < times[found]) {
                found = each;
            }
        }
        return found;
    }

    private void giveCoreAway(int rank) {
        if (shared && hasCore[rank]) {
            int host = machine.hostOf(rank);
            hasCore[rank] = false;
            for (int core = 0; core < coreTimes[host].length; core++) {
                if (coreTimes[host][core] == NEVER) {
                    coreTimes[host][core] = clock[rank];
                    break;
                }
            }
            coresFree[host]++;
            dispatch(host);
        }
    }

    /** Takes steps until the rank waits, is done, or is no longer the one that is behind. */
    private void proceed(int rank) {
        int end = program.start(rank + 1);
        while (next[rank] < end) {
            int step = next[rank];
            switch (program.kind(step)) {
                case SEND -> send(rank, program.target(step));
                case RECEIVE -> receive(rank, program.target(step));
                case COPY -> work(rank, program.value(step), machine.copyPerByte());
                case COMBINE -> work(rank, program.value(step), machine.combinePerByte());
                case AWAIT -> {
                    if (!await(rank, program.target(step))) {
                        giveCoreAway(rank);
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
        clock[rank] = Math.max(clock[rank] + size * perByte, memory(machine.hostOf(rank), clock[rank], size));
    }

    /** When the memory of a host has moved so many bytes, after what came before. */
    private double memory(int host, double from, long size) {
        if (machine.memoryPerByte() == 0) {
            return from;
        }
        memoryFree[host] = Math.max(from, memoryFree[host]) + size * machine.memoryPerByte();
        return memoryFree[host];
    }

    private LinkCost cost(int message) {
        return machine.link(machine.between(sender[message], receiver[message]));
    }

    private void send(int rank, int message) {
        LinkCost cost = cost(message);
        clock[rank] += cost.overhead();
        if (bytes[message] < cost.announced()) {
            clock[rank] += bytes[message] * cost.overheadPerByte();
            sendDone[message] = clock[rank];
            move(message, cost, clock[rank]);
        } else {
            announcedAt[message] = clock[rank] + cost.latency();
            if (receiveStarted[message] != NEVER) {
                fetch(message, cost);
            }
        }
    }

    private void receive(int rank, int message) {
        receiveStarted[message] = clock[rank];
        if (announcedAt[message] != NEVER) {
            fetch(message, cost(message));
        }
    }

    /** An announced message moves when the receiver has heard of it, has started the receive, and has said so. */
    private void fetch(int message, LinkCost cost) {
        double both = Math.max(announcedAt[message], receiveStarted[message]);
        move(message, cost, both + cost.overhead() + cost.latency());
        sendDone[message] = arrival[message];
        wake(waitingSender[message], sendDone[message]);
        waitingSender[message] = NOBODY;
    }

    private void move(int message, LinkCost cost, double from) {
        double busy = Math.max(cost.gap(), bytes[message] * cost.gapPerByte());
        int one = machine.hostOf(sender[message]);
        int other = machine.hostOf(receiver[message]);
        if (one == other) {
            double start = Math.max(from, outFree[sender[message]]);
            outFree[sender[message]] = start + busy;
            double moved = Math.max(start + bytes[message] * cost.gapPerByte(), memory(one, from, bytes[message]));
            arrival[message] = moved + cost.latency();
        } else {
            double start = Math.max(from, networkOut[one]);
            networkOut[one] = start + busy;
            // the first byte needs the latency; the last one is in when the way in has had time for all of them
            double in = Math.max(start + cost.latency(), networkIn[other]);
            arrival[message] = in + bytes[message] * cost.gapPerByte();
            networkIn[other] = in + busy;
        }
        wake(waitingReceiver[message], arrival[message]);
        waitingReceiver[message] = NOBODY;
    }

    private void wake(int rank, double time) {
        if (rank != NOBODY) {
            ready(rank, time);
        }
    }

    /** Whether what is awaited is done, by the clock of the rank or a little later if it has a core of its own. */
    private boolean await(int rank, int step) {
        int message = program.target(step);
        boolean receives = program.kind(step) == Program.Kind.RECEIVE;
        double done = receives ? arrival[message] : sendDone[message];
        if (done == NEVER) {
            if (receives) {
                waitingReceiver[message] = rank;
            } else {
                waitingSender[message] = rank;
            }
            return false;
        }
        if (shared && done > clock[rank]) {
            // another rank gets the core in the meantime
            int host = machine.hostOf(rank);
            giveCoreAway(rank);
            clock[rank] = done;
            runnable[host].add(rank);
            dispatch(host);
            return false;
        }
        clock[rank] = Math.max(clock[rank], done);
        if (receives) {
            LinkCost cost = cost(message);
            clock[rank] += cost.overhead();
            if (bytes[message] < cost.announced()) {
                clock[rank] += bytes[message] * cost.overheadPerByte();
            }
        }
        return true;
    }
}
