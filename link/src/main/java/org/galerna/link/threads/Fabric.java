package org.galerna.link.threads;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.galerna.link.CommunicationException;
import org.galerna.link.Wireup;
import org.galerna.memory.SystemRandom;
import org.jspecify.annotations.Nullable;

/**
 * What the attachments of one job share, as far as they live in this process: who is there. A rank may attach again after it has closed; its n-th
 * attachment meets the n-th ones of the others.
 */
final class Fabric {
    private static final Map<String, Jobs> JOBS = new HashMap<>(); // guarded by itself

    /** What tells this process from all others. */
    private static final byte[] PROCESS = SystemRandom.uuid().toString().getBytes(StandardCharsets.US_ASCII);

    private static final String PROCESS_NAME = "galerna.threads";

    private final AtomicReferenceArray<@Nullable ThreadsLink> links;

    /** The ranks whose links have been stopped, in this order. */
    private final int[] departed;

    private final AtomicInteger departures = new AtomicInteger();

    /** What the ranks share beyond rings. */
    final Meetings meetings = new Meetings();

    private Fabric(int size) {
        this.links = new AtomicReferenceArray<>(size);
        this.departed = new int[size];
    }

    int size() {
        return links.length();
    }

    @Nullable
    ThreadsLink find(int rank) {
        return links.get(rank);
    }

    ThreadsLink link(int rank) {
        ThreadsLink link = links.get(rank);
        if (link == null) {
            throw new CommunicationException("rank " + rank + " has not attached to the threads link yet");
        }
        return link;
    }

    void add(ThreadsLink link) {
        links.set(link.rank(), link);
    }

    /** A rank leaves; to be called once. */
    synchronized void addDeparture(int rank) {
        departed[departures.getPlain()] = rank;
        departures.setRelease(departures.getPlain() + 1); // shows the entry
    }

    /** Number of ranks that have left. */
    int departures() {
        return departures.getAcquire();
    }

    /** The rank that has left as the one of this number, below {@link #departures}. */
    int departed(int number) {
        return departed[number];
    }

    /** Tells the other ranks which process this one lives in. */
    static void publish(Wireup wireup) {
        wireup.put(PROCESS_NAME, PROCESS);
    }

    /** Whether a rank lives in this process. */
    static boolean isHere(Wireup wireup, int rank) {
        return Arrays.equals(PROCESS, wireup.get(rank, PROCESS_NAME));
    }

    /** The fabric for the next attachment of a rank. */
    static Fabric attach(String job, int rank, int size) {
        synchronized (JOBS) {
            return JOBS.computeIfAbsent(job, name -> new Jobs(size)).attach(rank);
        }
    }

    /** Ends an attachment; when nobody is left, the job is forgotten. */
    static void detach(String job) {
        synchronized (JOBS) {
            Jobs attachments = JOBS.get(job);
            if (attachments != null && attachments.detach()) {
                JOBS.remove(job);
            }
        }
    }

    /** The fabrics of a job, one per round of attachments. */
    private static final class Jobs {
        private final List<Fabric> rounds = new ArrayList<>();
        private final int[] attached;
        private int present;

        Jobs(int size) {
            attached = new int[size];
        }

        Fabric attach(int rank) {
            present++;
            int round = attached[rank]++;
            while (rounds.size() <= round) {
                rounds.add(new Fabric(attached.length));
            }
            return rounds.get(round);
        }

        /** True if nobody is left; with a fence after attaching, all have been there by then. */
        boolean detach() {
            return --present == 0;
        }
    }
}
