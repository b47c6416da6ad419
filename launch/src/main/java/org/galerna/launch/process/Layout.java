package org.galerna.launch.process;

import java.util.ArrayList;
import java.util.List;

/**
 * Which ranks run on which host: consecutive ones on the same.
 *
 * @param shares the hosts that have at least one rank, in the order of their ranks
 */
record Layout(List<Share> shares) {
    Layout {
        shares = List.copyOf(shares);
    }

    /** The ranks from {@code first} on that a host has. */
    record Share(Host host, int first, int ranks) {}

    /**
     * Fills one host after the other. Where no host says how many ranks it takes, all get the same number, the first ones
     * one more if it does not divide.
     *
     * @throws LaunchException if there is no room for all ranks
     */
    static Layout of(List<Host> hosts, int ranks) {
        boolean open = hosts.stream().allMatch(host -> host.slots().isEmpty());
        List<Share> shares = new ArrayList<>();
        int next = 0;
        for (int index = 0; index < hosts.size() && next < ranks; index++) {
            Host host = hosts.get(index);
            int room = open
                    ? Math.ceilDiv(ranks - next, hosts.size() - index)
                    : host.slots().orElse(1);
            int taken = Math.min(room, ranks - next);
            shares.add(new Share(host, next, taken));
            next += taken;
        }
        if (next < ranks) {
            throw new LaunchException(ranks + " ranks do not fit on these hosts, which have room for " + next
                    + "; raise the numbers behind their names, or leave them all out");
        }
        return new Layout(shares);
    }
}
