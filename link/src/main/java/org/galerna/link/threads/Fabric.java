package org.galerna.link.threads;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.galerna.link.CommunicationException;
import org.jspecify.annotations.Nullable;

/**
 * What the attachments of one job share: who is there. A rank may attach again after it has closed; its n-th
 * attachment meets the n-th ones of the others.
 */
final class Fabric {
    private static final Map<String, Jobs> JOBS = new HashMap<>(); // guarded by itself

    private final AtomicReferenceArray<@Nullable ThreadsLink> links;

    /** Number of links that have been stopped; a change tells pollers to look who it was. */
    final AtomicInteger departures = new AtomicInteger();

    /** What the ranks share beyond rings. */
    final Meetings meetings = new Meetings();

    private Fabric(int size) {
        this.links = new AtomicReferenceArray<>(size);
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

    /** The fabric for the next attachment of a rank. */
    static Fabric attach(String job, int rank, int size) {
        synchronized (JOBS) {
            return JOBS.computeIfAbsent(job, name -> new Jobs(size)).attach(rank);
        }
    }

    /** Ends an attachment; when nobody is left, the job is forgotten. */
    static void detach(String job, int rank) {
        synchronized (JOBS) {
            Jobs attachments = JOBS.get(job);
            if (attachments != null && attachments.detach(rank)) {
                JOBS.remove(job);
            }
        }
    }

    /** The fabrics of a job, one per round of attachments. */
    private static final class Jobs {
        private final List<Fabric> rounds = new ArrayList<>();
        private final int[] attached;
        private final int[] detached;

        Jobs(int size) {
            attached = new int[size];
            detached = new int[size];
        }

        Fabric attach(int rank) {
            int round = attached[rank]++;
            while (rounds.size() <= round) {
                rounds.add(new Fabric(attached.length));
            }
            return rounds.get(round);
        }

        boolean detach(int rank) {
            detached[rank]++;
            for (int each = 0; each < attached.length; each++) {
                if (attached[each] != attached[0] || detached[each] != attached[0]) {
                    return false;
                }
            }
            return true;
        }
    }
}
