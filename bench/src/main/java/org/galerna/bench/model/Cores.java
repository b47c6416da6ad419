package org.galerna.bench.model;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Random;

/**
 * The cores of hosts that have more ranks than cores. The rank of a host that has been able to run for longest gets a core that is
 * free, and keeps it until it gives it away.
 */
final class Cores {
    private final Sharing costs;
    private final int[] host; // by rank
    private final double[] clock; // by rank
    private final Agenda agenda;
    private final IdleCores[] idle; // by host
    private final Deque<Integer>[] runnable; // by host
    private final boolean[] started; // by rank
    private final boolean[] hasCore; // by rank
    private final boolean[] woken; // by rank: has slept since it last had a core
    private final boolean[] fresh; // by rank: has done nothing since it has the core

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
     * Nobody has a core yet.
     *
     * @param host that of each rank
     * @param clock that of each rank: goes on with what it takes to get a core
     * @param agenda gets ranks that have a core
     */
    @SuppressWarnings({"unchecked", "rawtypes"})
    Cores(Machine machine, int[] host, double[] clock, Agenda agenda) {
        costs = machine.sharing();
        this.host = host;
        this.clock = clock;
        this.agenda = agenda;
        int hosts = host[host.length - 1] + 1;
        idle = new IdleCores[hosts];
        runnable = new Deque[hosts];
        for (int each = 0; each < hosts; each++) {
            runnable[each] = new ArrayDeque<>();
            idle[each] = new IdleCores(machine.coresPerHost());
        }
        started = new boolean[host.length];
        hasCore = new boolean[host.length];
        woken = new boolean[host.length];
        fresh = new boolean[host.length];
    }

    /** All ranks can run, in an order that has nothing to do with what they do; always the same one. */
    void start() {
        int[] order = new int[host.length];
        Arrays.setAll(order, rank -> rank);
        Random random = new Random(order.length);
        for (int place = order.length - 1; place > 0; place--) {
            int other = random.nextInt(place + 1);
            int rank = order[place];
            order[place] = order[other];
            order[other] = rank;
        }
        for (int rank : order) {
            runnable[host[rank]].add(rank);
        }
        for (int each = 0; each < runnable.length; each++) {
            dispatch(each);
        }
    }

    /** The rank handles a message. */
    void use(int rank) {
        if (fresh[rank]) {
            fresh[rank] = false;
            clock[rank] += costs.resume();
        }
    }

    boolean has(int rank) {
        return hasCore[rank];
    }

    /** Whether another rank of the host could use the core of this one. */
    boolean areWanted(int rank) {
        return !runnable[host[rank]].isEmpty();
    }

    /** From its time on a rank without a core can run. */
    void ask(int rank) {
        runnable[host[rank]].add(rank);
        dispatch(host[rank]);
    }

    /** A rank has slept: to wake it takes time of the core that it gets next. */
    void wake(int rank) {
        woken[rank] = true;
    }

    /** The rank can go on, and lets others go first. */
    void handOn(int rank) {
        runnable[host[rank]].add(rank);
        giveAway(rank);
    }

    /** The rank does not need its core any more. */
    void giveAway(int rank) {
        hasCore[rank] = false;
        idle[host[rank]].add(clock[rank]);
        dispatch(host[rank]);
    }

    private void dispatch(int on) {
        while (idle[on].count > 0 && !runnable[on].isEmpty()) {
            int rank = runnable[on].remove();
            double since = idle[on].take();
            double cost = (started[rank] ? costs.turn() : 0) + (woken[rank] ? costs.wake() : 0);
            woken[rank] = false;
            clock[rank] = Math.max(clock[rank], since) + cost;
            fresh[rank] = started[rank];
            started[rank] = true;
            hasCore[rank] = true;
            agenda.add(rank, clock[rank]);
        }
    }
}
