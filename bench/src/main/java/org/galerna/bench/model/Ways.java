package org.galerna.bench.model;

import java.util.Arrays;
import java.util.function.IntToDoubleFunction;

/** What messages of several ranks share on their way: that of a host into the network, the way back, and the memory of a host. */
final class Ways {
    private final double[] memoryPerByte; // by host
    private final int[] host; // by rank
    private final double[] outFree; // by rank: when its own way to others on its host is free
    private final double[] networkOut; // by host
    private final double[] networkIn; // by host
    private final double[] memoryFree; // by host

    /**
     * All of them free.
     *
     * @param host that of each rank
     * @param touched bytes that each rank reads and writes in a call
     */
    Ways(Machine machine, int[] host, IntToDoubleFunction touched) {
        this.host = host;
        int hosts = host[host.length - 1] + 1;
        memoryPerByte = new double[hosts];
        if (machine.memory().cache() > 0) {
            for (int rank = 0; rank < host.length; rank++) {
                memoryPerByte[host[rank]] += touched.applyAsDouble(rank);
            }
        }
        Arrays.setAll(memoryPerByte, each -> machine.memory().perByte(memoryPerByte[each]));
        outFree = new double[host.length];
        networkOut = new double[hosts];
        networkIn = new double[hosts];
        memoryFree = new double[hosts];
    }

    /** When the memory of a host has moved so many bytes, after what came before; at once if they are in the cache. */
    double memory(int of, double from, long size) {
        if (memoryPerByte[of] == 0 || size == 0) {
            return from;
        }
        memoryFree[of] = Math.max(from, memoryFree[of]) + size * memoryPerByte[of];
        return memoryFree[of];
    }

    /** When a message arrives that a rank with a core of its own, or one of another host, sends at a time. */
    double move(int sender, int receiver, long bytes, LinkCost cost, double from) {
        double moving = bytes * cost.gapPerByte();
        double busy = Math.max(cost.gap(), moving);
        int one = host[sender];
        int other = host[receiver];
        if (one == other) {
            double start = Math.max(from, outFree[sender]);
            outFree[sender] = start + busy;
            return Math.max(start + moving, memory(one, from, bytes)) + cost.latency();
        }
        double start = Math.max(from, networkOut[one]);
        networkOut[one] = start + busy;
        // the first byte needs the latency; the last one is in when the way in has had time for all of them
        double in = Math.max(start + cost.latency(), networkIn[other]);
        networkIn[other] = in + busy;
        return in + moving;
    }
}
