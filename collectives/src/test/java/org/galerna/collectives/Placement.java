package org.galerna.collectives;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.galerna.collectives.team.TeamShape.Groups;

/** Where the ranks of a job are said to be: numbers of hosts, of heaps that only ranks of one host share, and of packages. */
final class Placement {
    private final int[] hosts;
    private final int[] heaps;
    private final int[] packages;

    private Placement(int[] hosts, int[] heaps, int[] packages) {
        this.hosts = hosts;
        this.heaps = heaps;
        this.packages = packages;
    }

    /** All on one heap. */
    static Placement together(int size) {
        return new Placement(new int[size], new int[size], new int[size]);
    }

    /** Ranks of one host share a heap if that is the only one, and are processes otherwise. */
    static Placement onHosts(int[] hosts) {
        boolean one = Arrays.stream(hosts).distinct().count() == 1;
        return new Placement(
                hosts, one ? hosts : IntStream.range(0, hosts.length).toArray(), new int[hosts.length]);
    }

    /**
     * As it stands in the arguments of tests: a digit for the host of each rank, and then, after slashes, one for its heap, and one
     * for its package.
     */
    static Placement of(String text) {
        String[] parts = text.split("/");
        int[] hosts = digits(parts[0]);
        return parts.length == 1
                ? onHosts(hosts)
                : new Placement(hosts, digits(parts[1]), parts.length == 2 ? new int[hosts.length] : digits(parts[2]));
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

    int packageOf(int rank) {
        return packages[rank];
    }

    int size() {
        return hosts.length;
    }

    boolean isOneHeap() {
        return Arrays.stream(heaps).distinct().count() == 1;
    }

    Groups groups() {
        if (isOneHeap()) {
            return Groups.NONE;
        }
        if (number(hosts) > 1) {
            return groups(hosts, Groups.HOSTS);
        }
        Groups byHeap = groups(heaps, Groups.HEAPS);
        return byHeap == Groups.NONE ? groups(packages, Groups.PACKAGES) : byHeap;
    }

    private static long number(int[] places) {
        return Arrays.stream(places).distinct().count();
    }

    private static Groups groups(int[] places, Groups kind) {
        return number(places) == 1 || number(places) == places.length ? Groups.NONE : kind;
    }
}
