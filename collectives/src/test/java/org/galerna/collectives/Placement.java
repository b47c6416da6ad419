package org.galerna.collectives;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.galerna.collectives.team.TeamShape.Groups;

/** Where the ranks of a job are said to be: numbers of hosts, and of heaps that only ranks of one host share. */
final class Placement {
    private final int[] hosts;
    private final int[] heaps;

    private Placement(int[] hosts, int[] heaps) {
        this.hosts = hosts;
        this.heaps = heaps;
    }

    /** All on one heap. */
    static Placement together(int size) {
        return new Placement(new int[size], new int[size]);
    }

    /** Ranks of one host share a heap if that is the only one, and are processes otherwise. */
    static Placement onHosts(int[] hosts) {
        boolean one = Arrays.stream(hosts).distinct().count() == 1;
        return new Placement(
                hosts, one ? hosts : IntStream.range(0, hosts.length).toArray());
    }

    /** As it stands in the arguments of tests: a digit for the host of each rank, and then, after a slash, one for its heap. */
    static Placement of(String text) {
        String[] parts = text.split("/");
        int[] hosts = digits(parts[0]);
        return parts.length == 1 ? onHosts(hosts) : new Placement(hosts, digits(parts[1]));
    }

    static int[] digits(String text) {
        return text.chars().map(digit -> digit - '0').toArray();
    }

    int hostOf(int rank) {
        return hosts[rank];
    }

    int heapOf(int rank) {
        return heaps[rank];
    }

    int size() {
        return hosts.length;
    }

    boolean isOneHeap() {
        return Arrays.stream(heaps).distinct().count() == 1;
    }

    Groups groups() {
        boolean oneHost = Arrays.stream(hosts).distinct().count() == 1;
        long groups = Arrays.stream(oneHost ? heaps : hosts).distinct().count();
        return groups == 1 || groups == hosts.length ? Groups.NONE : oneHost ? Groups.HEAPS : Groups.HOSTS;
    }
}
